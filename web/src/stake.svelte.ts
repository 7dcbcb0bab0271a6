import type { Answer } from "./connection";
import type { Cents } from "./money";
import { add, doubled, EMPTY, isSame, isWithinLimits, read, type Slip, total, write } from "./slip";
import type { CircleView, PlayerCommand, WagerView } from "./wire";

/** What chips have to know of the table on which they lie. */
export interface Around {
  /** What the house says lies at a place while bets are open. */
  wagersAt(place: string): readonly WagerView[];
  circles(): readonly CircleView[];
  /** The most that may lie at a place, with all other places as they are. */
  mostAt(place: string): Cents;
  ask(what: PlayerCommand): Promise<Answer>;
}

/** Our chips at one place of ours while bets are open. */
export class Stake {
  /** Chips that were moved since the house last said what lies where. */
  private moved = $state.raw<Slip | null>(null);
  private last = $state.raw<Slip>(EMPTY);
  /** The slip that the house took last, until its next view, which shows it. */
  private agreed = $state.raw<Slip | null>(null);
  private placing = $state.raw<Promise<boolean> | null>(null);

  readonly placed: Slip = $derived.by(() => read(this.around.wagersAt(this.place)));
  /** What lies there, placed or not. */
  readonly slip: Slip = $derived(this.moved ?? this.placed);
  readonly isPlaced = $derived(isSame(this.slip, this.placed));
  /** Whether chips lie there that the house has not been asked to take, or has not taken. */
  readonly isPending = $derived(!this.isPlaced && this.placing === null && this.moved !== this.agreed);
  readonly canRebet = $derived(this.last.size > 0 && !isSame(this.last, this.slip));

  /** What the chips of the last round cost more than those that lie there. */
  readonly rebetCost: Cents = $derived(total(this.last) - total(this.slip));

  constructor(
    readonly place: string,
    private readonly around: Around,
  ) {}

  /** Puts chips on a circle, or takes some back. */
  move(amount: Cents, circle: string): void {
    this.set(add(this.slip, circle, amount));
  }

  /** Makes this lie there, and nothing else. */
  put(slip: Slip): void {
    if (!isSame(slip, this.slip)) this.set(slip);
  }

  rebet(): void {
    this.set(this.last);
  }

  double(): void {
    this.set(doubled(this.slip));
  }

  clear(): void {
    this.set(EMPTY);
  }

  /** Places the chips that were moved; one wager is under way at a time, and the latest counts. */
  send(): Promise<boolean> {
    this.placing ??= this.placeLatest().finally(() => (this.placing = null));
    return this.placing;
  }

  /** The house has shown the table. */
  shown(): void {
    if (this.moved === this.agreed) this.moved = null;
    this.agreed = null;
  }

  /** Bets are closed with these wagers: chips that were not placed are ours again. */
  close(wagers: readonly WagerView[]): void {
    const staked = read(wagers.filter(({ free }) => !free));
    if (staked.size > 0) this.last = staked;
    this.moved = null;
  }

  private set(slip: Slip): void {
    this.moved = new Map(slip);
    const isAllowed = isWithinLimits(slip, this.around.circles()) && total(slip) <= this.around.mostAt(this.place);
    if (slip.size === 0 || isAllowed) void this.send();
  }

  private async placeLatest(): Promise<boolean> {
    while (this.moved && this.moved !== this.agreed) {
      const sent = this.moved;
      if (isSame(sent, this.agreed ?? this.placed)) {
        this.moved = this.agreed;
        break;
      }
      const wager: PlayerCommand = { type: "wager", amounts: write(sent), at: this.place };
      const answer = await this.around.ask(sent.size > 0 ? wager : { type: "clear", at: this.place });
      if (answer.is !== "done") return false;
      this.agreed = sent;
    }
    return true;
  }
}
