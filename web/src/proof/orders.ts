import { say } from "../text/text.svelte";

/** How often somebody committed, and how often the opening was missing. */
export interface Openings {
  commitments: number;
  missing: number;
}

/** A kind of shoe, how many there are, and what that means. */
export interface Share {
  words: string;
  details: string[];
}

/**
 * How the orders of a table's shoes came about, from the lines of its log alone: which prove everything,
 * and which prove less.
 */
export class OrderTally {
  private opened = 0;
  private without = 0;
  private physical = 0;
  private readonly unopened: { shoe: number; commitments: number; missing: string[] }[] = [];
  private readonly unplayed: { shoe: number; why: string }[] = [];
  private readonly recut: string[] = [];
  private readonly people = new Map<string, Openings>();
  private readonly seated = new Map<string, string>();
  private committed: [seat: string, name: string][] = [];
  private shoe = 0;
  private isUnplayed = false;
  /** The last input. */
  private input = "";

  take(line: string): void {
    // An input begins with its time.
    const text = line.slice(2).replace(/^\+\S+ /, "");
    const words = text.split(" ");
    if (line.startsWith("< ")) return this.takeInput(text, words);
    if (!line.startsWith("> ")) return;
    switch (words[0]) {
      case "sat":
        this.seated.set(words[1] ?? "", words[2] ?? "");
        return;
      case "shuffled":
        if (words[3] === "physical") this.physical += 1;
        if (this.shoe === 0 || !this.isInUse) this.begin(Number(words[1]));
        return;
      case "loaded":
        return this.begin(Number(words[1]));
      case "committed":
        // From here on openings arrive, and whoever has them knows the order.
        this.isUnplayed = true;
        return;
      case "mixed":
        return this.mixed(words.slice(words.indexOf("missing") + 1 || words.length));
      case "bets-closed":
        this.isUnplayed = false;
        return;
      case "retired":
        this.retired(Number(words[1]));
    }
  }

  private isInUse = false;

  private begin(shoe: number): void {
    [this.shoe, this.isInUse, this.committed] = [shoe, true, []];
  }

  private takeInput(input: string, words: string[]): void {
    this.input = input;
    const [, name] = /^order recut by (\S+)/.exec(input) ?? [];
    // A physical shoe is never mixed.
    if (name && this.isUnplayed) this.recut.push(say("orders.unplayed-shoe", { shoe: this.shoe, why: name }));
    if (words[0] !== "commit") return;
    const at = words.indexOf("house");
    const list = at < 0 ? [] : words.slice(at + 2).filter((_, index) => index % 2 === 0);
    this.committed = list.map((seat) => [seat, this.seated.get(seat) ?? say("seat", { seat })]);
  }

  private mixed(missing: string[]): void {
    this.isUnplayed = true;
    if (this.committed.length === 0) {
      this.without += 1;
      return;
    }
    for (const [seat, name] of this.committed) {
      const { commitments, missing: before } = this.people.get(name) ?? { commitments: 0, missing: 0 };
      const isMissing = missing.includes(seat) ? 1 : 0;
      this.people.set(name, { commitments: commitments + 1, missing: before + isMissing });
    }
    const names = this.committed.filter(([seat]) => missing.includes(seat)).map(([, name]) => name);
    if (names.length === 0) this.opened += 1;
    else this.unopened.push({ shoe: this.shoe, commitments: this.committed.length, missing: names });
  }

  private retired(shoe: number): void {
    const [, by] = / by (\S+)/.exec(this.input) ?? [];
    const why = this.input.startsWith("order ")
      ? say("orders.ordered", { name: by ?? say("orders.supervisor") })
      : say(this.input === "idle" ? "orders.idle" : "orders.decks");
    if (this.isUnplayed) this.unplayed.push({ shoe, why });
    [this.isUnplayed, this.isInUse] = [false, false];
  }

  /** One line for each kind of shoe that there is, with what it means. */
  get shares(): Share[] {
    const all = this.opened + this.without + this.physical + this.unopened.length;
    const shares: Share[] = [];
    const add = (count: number, meaning: string, details: string[] = []) => {
      if (count > 0) shares.push({ words: say("orders.share", { count, all, meaning }), details });
    };
    add(this.opened, say("orders.opened"));
    const most = Math.max(0, ...this.unopened.map(({ commitments }) => commitments));
    const people = [...this.people].filter(([, { missing }]) => missing > 0);
    add(this.unopened.length, say("orders.unopened", { most }), [
      ...people.map(([name, { commitments, missing }]) => say("orders.person", { name, missing, commitments })),
      ...this.unopened.map(({ shoe, missing }) => say("orders.shoe", { shoe, names: missing.join(", ") })),
    ]);
    add(this.without, say("orders.without"));
    add(
      this.unplayed.length,
      say("orders.unplayed"),
      this.unplayed.map(({ shoe, why }) => say("orders.unplayed-shoe", { shoe, why })),
    );
    add(this.recut.length, say("orders.recut"), this.recut);
    add(this.physical, say("orders.physical"));
    return shares;
  }
}
