import { type Answer, Connection, type Standing, type World } from "./connection";
import * as house from "./house";
import { type Cents, owed } from "./money";
import { add, doubled, EMPTY, isSame, isWithinLimits, read, type Slip, total, write } from "./slip";
import { type Heard, moment, take } from "./steps";
import type { AboutTable, Do, FromHouse, Me, Offer, Refused, SeatView, View } from "./wire";

/** How many sentences are kept to be read again. */
const MOST_TOLD = 200;

/** After so long what was done counts as shown, though no view came with it. */
const LONGEST_SHOWING = 300;

/** What the page says where the connection broke before an answer came. */
const MOOT: Refused = {
  sentence: "the connection broke before the house answered; the table stands as it is shown",
  source: "",
};

/** A sentence of the table, and the round it belongs to. */
export interface Told {
  number: number;
  round: number;
  sentence: string;
}

/** Someone at a table: what is seen there, and what can be done. */
export class AtTable {
  heard = $state.raw<Heard | null>(null);
  about = $state.raw<AboutTable | null>(null);
  account = $state.raw<Me | null>(null);
  standing = $state.raw<Standing>({ is: "connecting" });
  told = $state.raw<Told[]>([]);
  head = $state.raw<{ seq: number; hash: string } | null>(null);
  /** Why the last command was not done, until the next one. */
  refusal = $state.raw<Refused | null>(null);
  /** When the clock of the table runs out, in the time of `performance.now()`. */
  deadline = $state.raw<number | null>(null);
  /** Won or lost since this browser tab came to the table; null before a first count. */
  net = $state.raw<Cents | null>(null);
  /** The circle that chips go to. */
  chosen = $state("");

  /** Chips that were moved since the house last said what lies where. */
  private moved = $state.raw<Slip | null>(null);
  private last = $state.raw<Slip>(EMPTY);
  /** The slip that the house took last; its next view shows it. */
  private agreed = $state.raw<Slip | null>(null);
  private placing = $state.raw<Promise<boolean> | null>(null);
  private isAsking = $state(false);
  private isUnshown = $state(false);
  private sentences = 0;
  private readonly connection: Connection;

  readonly view: View | null = $derived(this.heard?.view ?? null);
  readonly mine: SeatView | null = $derived(
    this.view?.seats.find(({ seat }) => seat === this.view?.me) ?? null,
  );
  /** Whether something was asked for that is not answered, or not shown. */
  readonly isBusy = $derived(this.isAsking || this.isUnshown);
  readonly isOpen = $derived(this.standing.is === "open");
  readonly placed: Slip = $derived(read(this.view?.betting ? (this.mine?.wagers ?? []) : []));
  /** What lies on our circles while bets are open, placed or not. */
  readonly slip: Slip = $derived(this.moved ?? this.placed);
  readonly isPlaced = $derived(isSame(this.slip, this.placed));
  /** Whether chips lie there that the house has not been asked to take, or has not taken. */
  readonly isPending = $derived(
    !this.isPlaced && this.placing === null && this.moved !== this.agreed,
  );
  readonly isReady = $derived((this.mine?.ready ?? false) && this.isPlaced);
  /** Whether there is something to wait for no longer: our wager, or the wagers of others. */
  readonly canDeal = $derived(
    this.slip.size > 0 || (this.view?.seats.some(({ wagers }) => wagers.length > 0) ?? false),
  );
  readonly rack: Cents = $derived(owed(this.mine?.rack));
  readonly isAsked = $derived(
    this.view?.me != null &&
      ["act", "cut"].includes(this.view.awaited.what) &&
      this.view.awaited.seats.includes(this.view.me),
  );

  constructor(
    readonly table: string,
    private readonly world: World = browser(),
  ) {
    this.connection = new Connection(table, world, {
      heard: (message) => this.hear(message),
      standing: (standing) => (this.standing = standing),
      version: () => this.heard?.version ?? null,
      moment: () => moment(this.heard),
    });
    this.connection.open();
  }

  /** Tries at once to come back. */
  tryNow(): void {
    this.connection.open();
  }

  end(): void {
    this.connection.end();
  }

  /**
   * Asks the house for something, one thing at a time: null where what was asked before is not
   * answered or not shown yet, so that a second click means nothing.
   */
  async do(what: Do): Promise<Answer | null> {
    if (this.isBusy) return null;
    this.isAsking = true;
    const answer = await this.ask(what);
    this.isAsking = false;
    if (answer.is === "done") {
      this.isUnshown = true;
      this.world.after(LONGEST_SHOWING, () => (this.isUnshown = false));
    }
    return answer;
  }

  private async ask(what: Do): Promise<Answer> {
    const answer = await this.connection.send(what);
    this.refusal =
      answer.is === "refused" ? answer.refusal : answer.is === "moot" ? MOOT : null;
    return answer;
  }

  /** Puts chips on the chosen circle, or takes some back. */
  move(amount: Cents, circle = this.chosen): void {
    this.refusal = null;
    this.set(add(this.slip, circle, amount));
  }

  rebet(): void {
    this.set(this.last);
  }

  double(): void {
    this.set(doubled(this.slip));
  }

  clear(): void {
    this.refusal = null;
    this.set(EMPTY);
  }

  get canRebet(): boolean {
    return this.last.size > 0 && !isSame(this.last, this.slip);
  }

  /** Places what lies there, whether or not it seems right, and says that no more will come. */
  async deal(): Promise<void> {
    if (!this.isPlaced && !(await this.place())) return;
    if (this.canDeal && !this.isReady) await this.do({ type: "ready" });
  }

  /** Leaves the seat with all chips, and goes on watching. */
  standUp(): void {
    void this.do({ type: "leave" });
  }

  /** Decides, with an amount as it was typed: what is wrong with it the house says. */
  act({ at, call }: Offer, amount: string | null): void {
    void this.do({ type: "act", call, amount, at });
  }

  private set(slip: Slip): void {
    this.moved = new Map(slip);
    const circles = this.about?.circles ?? [];
    if (slip.size === 0 || (isWithinLimits(slip, circles) && total(slip) <= this.rack)) {
      void this.place();
    }
  }

  /** Places the chips that were moved; one wager is under way at a time, and the latest counts. */
  private place(): Promise<boolean> {
    this.placing ??= this.placeLatest().finally(() => (this.placing = null));
    return this.placing;
  }

  private async placeLatest(): Promise<boolean> {
    while (this.moved && this.moved !== this.agreed) {
      const sent = this.moved;
      if (isSame(sent, this.placed)) {
        this.moved = null;
        break;
      }
      const wager: Do = { type: "wager", amounts: write(sent) };
      const answer = await this.ask(sent.size > 0 ? wager : { type: "clear" });
      if (answer.is !== "done") return false;
      this.agreed = sent;
    }
    return true;
  }

  private hear(message: FromHouse): void {
    switch (message.type) {
      case "table":
        this.about = message.about;
        this.chosen ||= message.about.circles.find(({ opening }) => opening)?.circle ?? "";
        return;
      case "account":
        this.account = message;
        return;
      case "head":
        this.head = { seq: message.seq, hash: message.hash };
        return;
      case "state":
      case "event":
        break;
      default:
        return;
    }
    const taken = take(this.heard, message);
    if (taken.is === "gap") return this.connection.watch();
    if (taken.is === "known") return;
    const before = this.heard;
    this.heard = taken.heard;
    if (message.type === "event") this.tell(message.told, (before ?? taken.heard).view.round);
    if (message.view) this.see(before?.view ?? null, message.view);
  }

  private see(before: View | null, view: View): void {
    const within = view.awaited.within_ms;
    this.deadline = within === null ? null : performance.now() + within;
    this.isUnshown = false;
    if (this.moved === this.agreed) this.moved = null;
    if (before?.betting && !view.betting) {
      const staked = read(this.mine?.wagers ?? []);
      if (staked.size > 0) this.last = staked;
      this.moved = null;
    }
    if (view.betting && !before?.betting) this.count();
    if (before && moment({ version: 0, view: before }) !== moment({ version: 0, view })) {
      this.refusal = null;
    }
  }

  /** Counts between two rounds, when no chip of ours is with the dealer. */
  private count(): void {
    if (!this.account) return;
    const worth = owed(this.account.balance) + this.rack;
    const key = `pitboss ${this.table} ${this.account.name}`;
    const first = sessionStorage.getItem(key) ?? String(worth);
    sessionStorage.setItem(key, first);
    this.net = worth - Number(first);
  }

  private tell(sentences: readonly string[], round: number): void {
    const told = sentences.map((sentence) => ({ number: this.sentences++, round, sentence }));
    this.told = [...this.told, ...told].slice(-MOST_TOLD);
  }
}

/** The world as a browser has it. */
function browser(): World {
  return {
    connect: () => new WebSocket(`${location.origin.replace("http", "ws")}/ws`),
    isKnown: () => house.me().then((me) => me !== null, () => true),
    newId: () => newId(),
    now: () => performance.now(),
    after: (milliseconds, then) => {
      const timer = setTimeout(then, milliseconds);
      return () => clearTimeout(timer);
    },
    chance: () => Math.random(),
  };
}

/** An id that no other client makes. `crypto.randomUUID` is missing where a page came over http. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
