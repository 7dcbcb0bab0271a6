import * as house from "../house";
import type { ActValueView, DecisionValues } from "../wire";

/** How long to wait before asking again, in milliseconds. */
const PAUSE = 1000;

/** How often it is asked about one decision. */
const MOST_QUESTIONS = 3;

/** What the coach says about the decision that we are asked for. */
export class Advice {
  /** The decision that it is about. */
  private moment = "";
  private decisions = $state.raw<readonly DecisionValues[]>([]);
  /** Why there is nothing to say; empty where there is, or may be. */
  failure = $state.raw("");

  constructor(private readonly table: string) {}

  /** Asks about a decision, once. An empty moment is none. */
  about(moment: string): void {
    if (moment === this.moment) return;
    [this.moment, this.decisions, this.failure] = [moment, [], ""];
    if (moment !== "") void this.ask(moment, MOST_QUESTIONS);
  }

  /** The open acts at a place, the best one first; empty before they are known. */
  at(place: string): readonly ActValueView[] {
    return this.decisions.find(({ at }) => at === place)?.acts ?? [];
  }

  private async ask(moment: string, questions: number): Promise<void> {
    try {
      const { decisions } = await house.values(this.table);
      if (moment === this.moment) this.decisions = decisions;
    } catch (error) {
      if (moment !== this.moment) return;
      this.failure = (error as Error).message;
      if (questions > 1) setTimeout(() => moment === this.moment && void this.ask(moment, questions - 1), PAUSE);
      return;
    }
    if (moment === this.moment) this.failure = "";
  }
}

/** What an act with these chips is worth, of those that are known; null is none, or as many as are allowed. */
export function worthOf(acts: readonly ActValueView[], call: string, amount: string | null): ActValueView | null {
  const same = (one: ActValueView) => one.call === call && Number(one.amount ?? NaN) === Number(amount ?? NaN);
  return acts.find((one) => one.call === call && (one.amount === amount || same(one))) ?? null;
}

/** The size of the longest bar of those that are shown, in dollars; null is not known yet. */
export function longest(shown: readonly (ActValueView | null)[]): number {
  return Math.max(0, ...shown.map((act) => Math.abs(act?.gain ?? 0)));
}
