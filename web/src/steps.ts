import { boxOf } from "./people";
import type { FromHouse, View } from "./wire";

/** A table as far as we have heard of it. */
export interface Heard {
  version: number;
  view: View;
}

type Step = Extract<FromHouse, { type: "state" | "event" }>;

/** Whether a step was taken, was known already, or shows that one before it is missing. */
export type Taken = { is: "taken"; heard: Heard } | { is: "known" } | { is: "gap" };

/**
 * Takes the next step of a table. A `state` replaces everything; an `event` counts only where it is
 * the very next version, so that nothing is ever shown that skips something.
 */
export function take(heard: Heard | null, step: Step): Taken {
  if (step.type === "state") {
    return { is: "taken", heard: { version: step.version, view: step.view } };
  }
  if (heard === null || step.version > heard.version + 1) return { is: "gap" };
  if (step.version <= heard.version) return { is: "known" };
  // While it catches up the house leaves out all views but the last one.
  return { is: "taken", heard: { version: step.version, view: step.view ?? heard.view } };
}

/**
 * The moment of a table: a decision belongs to one, and is not repeated in another. Betting on one
 * round is one moment; of what is asked of us, everything that it hangs on is part of it.
 */
export function moment(view: View | null): string {
  if (view === null) return "";
  const { round, awaited, mine, seats, offers } = view;
  const boxes = awaited.what === "act" ? new Set(mine.map(boxOf)) : new Set();
  const lying = seats.filter(({ seat }) => boxes.has(seat)).map(({ hands, playing }) => [hands, playing]);
  const open = offers.map(({ at, call }) => [at, call]);
  return JSON.stringify([round, awaited.what, mine, lying, open]);
}
