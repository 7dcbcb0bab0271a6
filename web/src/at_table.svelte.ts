import { chance } from "./chance";
import { firstChip } from "./chips";
import { type Answer, Connection, type Standing, type World } from "./connection";
import * as house from "./house";
import { type Cents, dollars, owed, wire } from "./money";
import { usualBuyIn } from "./buy_in";
import { isStill } from "./motion";
import { type Bettor, bettorAt, boxOf } from "./people";
import { bytesFor, commitmentOf, inWords, type ShoePlace, standing } from "./proof/contribution";
import { keepHead, seals, shoeName } from "./proof/kept";
import { ownCut } from "./proof/own_cut.svelte";
import { ours } from "./refusal";
import { EMPTY, type Slip, total } from "./slip";
import { type Around, Stake } from "./stake.svelte";
import { type Heard, moment, take } from "./steps";
import { type RoundsSince, Tally } from "./tally";
import { net } from "./words";
import type { AboutTable, FromHouse, Offer, PlayerCommand, Purse, Refusal, SessionView, StoryLine, View } from "./wire";
import { aboutInWords, callNamed, story, viewInWords } from "./text/of_house";
import { say } from "./text/text.svelte";

/** How many sentences are kept to be read again. */
const MOST_TOLD = 200;

/** After so long what was done counts as shown, though no view came with it. */
const LONGEST_SHOWING = 300;

/** How many moves of chips can be taken back. */
const MOST_MOVES = 50;

/** What the page says where the connection broke before an answer came. */
const moot = () => ours("connection-broke", say("standing.moot"));

/** A sentence of the table, and the round it belongs to. */
export interface Told {
  number: number;
  round: number;
  sentence: string;
}

/** The world of somebody at a table: also the rounds that ended unseen. */
interface Outside extends World {
  roundsSince: RoundsSince;
  /** How long the last card lies there before anybody is paid, in milliseconds. */
  beat: () => number;
}

/** Someone at a table: what is seen there, and what can be done. */
export class AtTable implements Around {
  heard = $state.raw<Heard | null>(null);
  /** The table as the house describes it, and in the language that is spoken. */
  private described = $state.raw<AboutTable | null>(null);
  readonly about: AboutTable | null = $derived(this.described && aboutInWords(this.described));
  account = $state.raw<Purse | null>(null);
  session = $state.raw<SessionView | null>(null);
  /** When this visit to the house began, in the time of `performance.now()`. */
  sessionBegan = $state.raw<number | null>(null);
  standing = $state.raw<Standing>({ is: "connecting", after: null });
  told = $state.raw<Told[]>([]);
  head = $state.raw<{ seq: number; hash: string } | null>(null);
  /** Why the last command was not done, until the next one. */
  refusal = $state.raw<Refusal | null>(null);
  /** When the clock of the table runs out, in the time of `performance.now()`. */
  deadline = $state.raw<number | null>(null);
  /** What was decided for us in this round because time ran out; empty where nothing was. */
  ranOut = $state.raw("");
  /** Won or lost in the rounds of this table that ended while this browser tab was open. */
  net = $state.raw<Cents>(0);
  /** The circle that chips go to. */
  chosen = $state("");
  /** The chip in hand, which a tap on a circle puts there. */
  chip = $state<Cents>(0);
  /** What the player typed to be added to the order of the next shoe; empty where the browser makes it. */
  typed = $state("");
  /** What a player should know of their contribution to this shoe before any wager; null where all is well. */
  contribution = $state.raw<string | null>(null);

  /** The place of ours that was chosen, where there are several. */
  private wanted = $state("");
  /** Our chips, by the place where they lie. */
  stakes = $state.raw<ReadonlyMap<string, Stake>>(new Map());
  /** What was asked for last and is not answered: its number; null where there is nothing. */
  private asking = $state.raw<number | null>(null);
  private questions = 0;
  /** The version whose view was seen last. */
  private seen = 0;
  /** The shoe and stage for which we have added to the order, or answered about the cut, by ourselves. */
  private added = "";
  private named = "";
  private isUnshown = $state(false);
  private sentences = 0;
  /** How our chips lay before each move since bets opened, the latest last. */
  private moves = $state.raw<ReadonlyMap<string, Slip>[]>([]);
  private readonly connection: Connection;
  private readonly world: Outside;

  /** The table between the last card and the payment. */
  private before = $state.raw<View | null>(null);
  /** What is told once it is over, and the rounds that it belongs to. */
  private untold: [readonly string[], number][] = [];

  readonly view: View | null = $derived.by(() => {
    const shown = this.before ?? this.heard?.view;
    return shown ? viewInWords(shown) : null;
  });
  /** The place of ours that the bar is about: one that is asked, or else the one that was chosen. */
  readonly place: string = $derived.by(() => {
    const { mine = [], offers = [] } = this.view ?? {};
    const open = offers.length > 0 ? offers.map(({ at }) => at) : mine;
    return open.includes(this.wanted) ? this.wanted : (open[0] ?? "");
  });
  readonly mine: Bettor | null = $derived(this.view && bettorAt(this.view, this.place));
  /** The box that the bar is about. */
  readonly box: number | null = $derived(this.place === "" ? null : boxOf(this.place));
  readonly offers: readonly Offer[] = $derived((this.view?.offers ?? []).filter(({ at }) => at === this.place));
  /** Whether something was asked for that is not answered, or not shown. */
  readonly isBusy = $derived(this.asking !== null || this.isUnshown);
  readonly isOpen = $derived(this.standing.is === "open");
  private readonly stake = $derived(this.stakes.get(this.place) ?? null);
  /** What lies on our circles while bets are open, placed or not. */
  readonly slip: Slip = $derived(this.stake?.slip ?? EMPTY);
  readonly isPlaced = $derived([...this.stakes.values()].every((stake) => stake.isPlaced));
  readonly isPending = $derived([...this.stakes.values()].some((stake) => stake.isPending));
  readonly canRebet = $derived([...this.stakes.values()].some((stake) => stake.canRebet));
  readonly isReady = $derived((this.mine?.ready ?? false) && this.isPlaced);
  /** Whether chips of ours lie there, at any place. */
  readonly hasChips = $derived([...this.stakes.values()].some(({ slip }) => slip.size > 0));
  /** Whether chips of ours are in a round that is not decided. */
  readonly isPlaying = $derived(
    this.view !== null &&
      !this.view.betting &&
      this.view.mine.some((place) => this.view && (bettorAt(this.view, place)?.wagers.length ?? 0) > 0),
  );
  /** Whether there is something to wait for no longer: our wager, or the wagers of others. */
  readonly canDeal = $derived(
    this.hasChips ||
      (this.view?.seats.some(
        ({ wagers, behind }) => wagers.length > 0 || behind.some((other) => other.wagers.length > 0),
      ) ??
        false),
  );
  readonly rack: Cents = $derived(owed(this.mine?.rack));
  /** What is left of the rack. */
  readonly left: Cents = $derived([...this.stakes.values()].reduce((left, { slip }) => left - total(slip), this.rack));
  readonly isAsked = $derived((this.view?.offers.length ?? 0) > 0 || this.view?.cut != null);

  /** Whether a seat is taken as soon as the table is seen. */
  private sitsDown: boolean;

  constructor(
    readonly table: string,
    { sitsDown = false, world = browser() }: { sitsDown?: boolean; world?: Outside } = {},
  ) {
    [this.sitsDown, this.world] = [sitsDown, world];
    this.connection = new Connection(table, world, {
      heard: (message) => this.hear(message),
      standing: (standing) => (this.standing = standing),
      version: () => this.heard?.version ?? null,
      moment: () => moment(this.heard?.view ?? null),
    });
    this.connection.open();
  }

  /** Tries at once to come back. */
  tryNow(): void {
    this.connection.tryNow();
  }

  end(): void {
    this.connection.end();
  }

  /**
   * Asks the house for something, one thing at a time: null where what was asked before is not
   * answered or not shown yet, so that a second click means nothing.
   */
  async do(what: PlayerCommand): Promise<Answer | null> {
    if (this.isBusy) return null;
    const [question, asked] = [++this.questions, moment(this.view)];
    this.asking = question;
    const answer = await this.ask(what);
    if (this.asking === question) this.asking = null;
    // Where the table has gone on, what was done is in sight already.
    if (answer.is === "done" && moment(this.view) === asked) {
      this.isUnshown = true;
      this.world.after(LONGEST_SHOWING, () => (this.isUnshown = false));
    }
    return answer;
  }

  async ask(what: PlayerCommand): Promise<Answer> {
    const answer = await this.connection.send(what);
    this.refusal = answer.is === "refused" ? answer.refusal : answer.is === "moot" ? moot() : null;
    return answer;
  }

  wagersAt(place: string): Bettor["wagers"] {
    return (this.view?.betting && bettorAt(this.view, place)?.wagers) || [];
  }

  circles(): AboutTable["circles"] {
    return this.about?.circles ?? [];
  }

  mostAt(place: string): Cents {
    return this.left + total(this.stakes.get(place)?.slip ?? EMPTY);
  }

  /** Turns to a place of ours, and to one of its circles. */
  choose(place: string, circle = this.chosen): void {
    [this.wanted, this.chosen] = [place, circle];
  }

  /** Turns to another place of ours. */
  turn(steps: number): void {
    const mine = this.view?.mine ?? [];
    const next = (mine.indexOf(this.place) + steps + mine.length) % Math.max(1, mine.length);
    this.wanted = mine[next] ?? "";
  }

  /** Takes a seat, and buys chips for a first hour where there are none in the rack. */
  async sit(seat: number): Promise<void> {
    const answer = await this.do({ type: "sit", seat });
    const amount = this.about ? usualBuyIn(this.about, owed(this.account?.balance)) : 0;
    if (answer?.is === "done" && amount > 0 && this.rack === 0)
      await this.ask({ type: "buy_in", amount: wire(amount) });
  }

  /** Asks the cashier for more play money. */
  async refill(): Promise<void> {
    try {
      this.account = await house.refill();
      this.refusal = null;
    } catch (error) {
      this.refusal = ours("no-refill", (error as Error).message);
    }
  }

  /** Puts chips on the chosen circle, or takes some back. */
  move(amount: Cents, circle = this.chosen, place = this.place): void {
    if (this.canAfford(amount)) this.change(() => this.stakes.get(place)?.move(amount, circle));
  }

  /** What a rebet takes from the rack. */
  readonly rebetCost: Cents = $derived(
    [...this.stakes.values()].reduce((sum, stake) => sum + (stake.canRebet ? stake.rebetCost : 0), 0),
  );

  /** Bets everywhere what was bet there last. */
  rebet(): void {
    if (!this.canAfford(this.rebetCost)) return;
    this.change(() => {
      for (const stake of this.stakes.values()) if (stake.canRebet) stake.rebet();
    });
  }

  double(): void {
    if (this.canAfford(total(this.slip))) this.change(() => this.stake?.double());
  }

  clear(): void {
    this.change(() => this.stake?.clear());
  }

  readonly canUndo = $derived(this.moves.length > 0);

  /** Takes back the last move of chips. */
  undo(): void {
    const before = this.moves.at(-1);
    if (!before) return;
    this.refusal = null;
    this.moves = this.moves.slice(0, -1);
    for (const [place, stake] of this.stakes) stake.put(before.get(place) ?? EMPTY);
  }

  /** Whether the rack has so much left; where it has not, the page says so itself. */
  private canAfford(amount: Cents): boolean {
    const isShort = amount > this.left;
    this.refusal = isShort ? ours("rack-too-small", say("bar.short", { left: dollars(this.left) })) : null;
    return !isShort;
  }

  /** Moves chips, and remembers how they lay. */
  private change(move: () => void): void {
    this.refusal = null;
    const before = new Map([...this.stakes].map(([place, { slip }]) => [place, slip]));
    this.moves = [...this.moves, before].slice(-MOST_MOVES);
    move();
  }

  /** Places what lies there, whether or not it seems right, and says that no more will come. */
  async deal(): Promise<void> {
    for (const stake of this.stakes.values()) {
      if (!stake.isPlaced && !(await stake.send())) return this.choose(stake.place);
    }
    if (this.canDeal && !this.isReady) await this.do({ type: "ready" });
  }

  /** Leaves the box with all chips that are not needed at another one, and goes on watching. */
  standUp(): void {
    void this.do({ type: "leave", at: this.place });
  }

  /** Decides, with an amount as it was typed: what is wrong with it the house says. */
  act({ at, call }: Offer, amount: string | null, hand?: number): void {
    void this.do({ type: "act", call, amount, at, hand });
  }

  private hear(message: FromHouse): void {
    switch (message.type) {
      case "table":
        this.described = message.about;
        this.chosen ||= message.about.circles.find(({ opening }) => opening)?.circle ?? "";
        this.chip ||= firstChip(message.about.circles.find(({ circle }) => circle === this.chosen)?.opening ?? null);
        return;
      case "account":
        this.account = message;
        return;
      case "session":
        this.session = message;
        this.sessionBegan = message.since === null ? null : performance.now() - 1000 * (message.now - message.since);
        return;
      case "head":
        this.head = { seq: message.seq, hash: message.hash };
        if (this.account) keepHead(this.account.name, this.table, this.head);
        return;
      case "state":
      case "event":
      case "change":
        break;
      default:
        return;
    }
    const taken = take(this.heard, message);
    if (taken.is === "gap") return this.connection.watch();
    if (taken.is === "known") return;
    const before = this.heard;
    this.heard = taken.heard;
    if (before && message.type === "event") this.holdBack(before.view, taken.heard.view);
    if (message.type === "event") {
      this.ranOut = lateCall(message.story, taken.heard.view) || this.ranOut;
      this.tell(story(message.story), (before ?? taken.heard).view.round);
    }
    if (message.type === "state" || message.change !== null) {
      const isNext = message.type === "event" && message.version === this.seen + 1;
      this.seen = message.version;
      this.see(before?.view ?? null, taken.heard.view, isNext);
    }
  }

  /** Shows the cards of a round that has ended for a moment before its results. */
  private holdBack(before: View, view: View): void {
    const beat = this.world.beat();
    if (before.betting || view.round === before.round || beat === 0) return;
    this.before = unpaid(before, view);
    this.world.after(beat, () => this.pay());
  }

  /** Goes on to the payment, and tells of it: after a moment, or as soon as somebody presses a key. */
  pay(): void {
    if (this.before === null) return;
    this.before = null;
    const untold = this.untold;
    this.untold = [];
    for (const [sentences, round] of untold) this.tell(sentences, round);
  }

  private see(before: View | null, view: View, isNext: boolean): void {
    if (before?.betting && !view.betting) [this.ranOut, this.moves] = ["", []];
    const within = view.awaited.within_ms;
    this.deadline = within === null ? null : performance.now() + within;
    this.isUnshown = false;
    if (view.mine.join() !== [...this.stakes.keys()].join()) {
      this.moves = [];
      const stakeAt = (place: string) => this.stakes.get(place) ?? new Stake(place, this);
      this.stakes = new Map(view.mine.map((place) => [place, stakeAt(place)]));
    }
    for (const [place, stake] of this.stakes) {
      stake.shown();
      if (before?.betting && !view.betting) stake.close(bettorAt(view, place)?.wagers ?? []);
    }
    if (this.account && view.shoe?.seal) {
      const name = shoeName(this.account.name, this.table, view.shoe.number);
      if (seals.get(name) === null) seals.set(name, view.shoe.seal);
    }
    this.mix(view);
    this.cutAhead(view);
    if (this.sitsDown) this.sitDown(view);
    if (view.round !== before?.round) void this.count(view, isNext);
    if (before && moment(before) !== moment(view)) {
      [this.refusal, this.asking] = [null, null];
    }
  }

  /** Cuts at once where it was said ahead how. */
  private cutAhead({ cut, shoe, mix, awaited }: View): void {
    const step = `${shoe?.number} ${mix?.stage} ${awaited.seats.join()}`;
    if (cut === null || ownCut.how === "ask" || this.named === step) return;
    this.named = step;
    void this.connection.send({ type: "cut", at: ownCut.how === "same" ? ownCut.place(cut) : null });
  }

  /** Commits to bytes and opens them: by itself, and at once. */
  private mix(view: View): void {
    this.contribution = null;
    if (!view.mix || !view.shoe?.seal || !this.about?.house) return;
    const { stage, answered, list } = view.mix;
    const { number, seal } = view.shoe;
    const place: ShoePlace = { house: this.about.house, table: this.table, shoe: number, seal };
    const step = `${number} ${stage}`;
    const [seat] = view.mine;
    if (stage === "commit" && answered === false && seat !== undefined) {
      const commitment = commitmentOf({ ...place, seat }, bytesFor(place, this.typed));
      this.typed = "";
      this.add(step, { type: "commit", commitment });
    }
    if (stage === "commit") return;
    const stands = standing(list, stage === "mixed", place);
    if (seat !== undefined) this.contribution = inWords(stands);
    // Who has left the table in the meantime opens too.
    if (stage === "open" && answered === false && stands === "kept") {
      this.add(step, { type: "open", bytes: bytesFor(place, "") });
    }
  }

  /** Sends what is awaited of us; again only where the house has forgotten that it took it. */
  private add(step: string, what: PlayerCommand): void {
    if (this.added === step) return;
    this.added = step;
    void this.connection.send(what).then(({ is }) => {
      if (is === "done" && this.added === step) this.added = "";
    });
  }

  /** Takes the free seat that is nearest to the middle, where we have none. */
  private sitDown({ seats, mine }: View): void {
    this.sitsDown = false;
    const away = ({ seat }: { seat: number }) => Math.abs(seat - (seats.length + 1) / 2);
    const free = seats.filter(({ name, behind }) => name === null && behind.length === 0);
    const [nearest] = free.sort((one, other) => away(one) - away(other));
    if (nearest && mine.length === 0) void this.sit(nearest.seat);
  }

  /** Counts what the rounds of this table come to for us; what was not seen to end, the house tells. */
  private async count(view: View, isSeen: boolean): Promise<void> {
    if (!this.account) return;
    const tally = new Tally(this.table, this.account.name, view.round - 1);
    const own = () => view.mine.reduce((sum, place) => sum + net(bettorAt(view, place)), 0);
    await tally.count(view.round - 1, isSeen ? own() : null, this.world.roundsSince);
    this.net = tally.net;
  }

  private tell(sentences: readonly string[], round: number): void {
    if (this.before !== null) return void this.untold.push([sentences, round]);
    const told = sentences.map((sentence) => ({ number: this.sentences++, round, sentence }));
    this.told = [...this.told, ...told].slice(-MOST_TOLD);
  }
}

/** What was decided for a place of ours because time ran out, as a dealer says it; empty where nothing was. */
function lateCall(story: readonly StoryLine[], { mine }: View): string {
  const acts = story.flatMap((line) => (line.type === "acted" && line.timed_out ? [line] : []));
  const own = acts.findLast(({ at }) => mine.includes(at));
  return own ? callNamed(own.call, own.words).toLowerCase() : "";
}

/** A table with its last cards, and with all chips where they lay before them. */
function unpaid(before: View, view: View): View {
  const seats = view.seats.map((seat) => {
    const {
      wagers = [],
      results = [],
      rack = null,
      behind = [],
    } = before.seats.find((one) => one.seat === seat.seat) ?? {};
    return { ...seat, wagers, results, rack, behind };
  });
  const awaited = { what: "dealer" as const, seats: [], within_ms: null, of_ms: null };
  return {
    ...view,
    seats,
    awaited,
    betting: false,
    round: before.round,
    offers: [],

    prompt: before.prompt,
  };
}

/** How long the last card lies there before anybody is paid, in milliseconds. */
const BEAT = 550;

/** The world as a browser has it. */
function browser(): Outside {
  return {
    connect: () => new WebSocket(`${location.origin.replace("http", "ws")}/ws`),
    isKnown: () =>
      house.me().then(
        (me) => me !== null,
        () => true,
      ),
    roundsSince: house.roundsSince,
    // An id that no other client makes; `crypto.randomUUID` is missing where a page came over http.
    newId: () => chance(16),
    now: () => performance.now(),
    after: (milliseconds, then) => {
      const timer = setTimeout(then, milliseconds);
      return () => clearTimeout(timer);
    },
    chance: () => Math.random(),
    beat: () => (isStill() ? 0 : BEAT),
  };
}
