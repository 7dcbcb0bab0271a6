import { type Cents, owed } from "./money";
import type { RoundLine } from "./wire";

/** Somebody's rounds at a table after one, the latest first. */
export type RoundsSince = (table: string, player: string, round: number) => Promise<Pick<RoundLine, "round" | "net">[]>;

/** What rounds of a table came to, from the first one that a browser tab saw on. */
export class Tally {
  private readonly key: string;
  /** The last round that is counted, and the sum of all. */
  private counted: { round: number; net: Cents };

  /** The tally of a person in this tab; where there is none yet it begins after a round. */
  constructor(
    private readonly table: string,
    private readonly person: string,
    begins: number,
  ) {
    this.key = `pitboss net ${table} ${person}`;
    const kept = sessionStorage.getItem(this.key);
    this.counted = kept === null ? { round: begins, net: 0 } : JSON.parse(kept);
    this.keep();
  }

  get net(): Cents {
    return this.counted.net;
  }

  /** Counts a round that has ended, and those before it; null where it was not seen to end. */
  async count(round: number, won: Cents | null, since: RoundsSince): Promise<void> {
    const before = this.counted;
    if (round <= before.round) return;
    if (won === null || round > before.round + 1) {
      const missed = await since(this.table, this.person, before.round).catch(() => null);
      if (missed === null) return;
      won = missed.filter((one) => one.round <= round).reduce((sum, { net }) => sum + owed(net), 0);
    }
    this.counted = { round, net: before.net + won };
    this.keep();
  }

  private keep(): void {
    sessionStorage.setItem(this.key, JSON.stringify(this.counted));
  }
}
