import { boxOf } from "./people";
import type { FromHouse, View, ViewChange } from "./wire";

/** A table as far as we have heard of it. */
export interface Heard {
  version: number;
  /** The number of the view on this socket. */
  number: number;
  view: View;
}

type Step = Extract<FromHouse, { type: "state" | "event" | "change" }>;

/** Whether a step was taken, was known already, or shows that one before it is missing. */
export type Taken = { is: "taken"; heard: Heard } | { is: "known" } | { is: "gap" };

/**
 * Takes the next step of a table. A `state` replaces everything; an `event` counts only where it is
 * the very next version, and a change only where it is of the view before, so that nothing is ever
 * shown that skips something.
 */
export function take(heard: Heard | null, step: Step): Taken {
  if (step.type === "state") {
    const { version, number, view } = step;
    return { is: "taken", heard: { version, number, view } };
  }
  if (heard === null) return { is: "gap" };
  const next = step.type === "event" ? heard.version + 1 : heard.version;
  if (step.version > next) return { is: "gap" };
  if (step.version < next) return { is: "known" };
  // While it catches up the house sends no change, and a `state` in the end.
  if (step.change === null) return { is: "taken", heard: { ...heard, version: step.version } };
  if (step.number !== heard.number + 1) return { is: "gap" };
  const { version, number, change } = step;
  return { is: "taken", heard: { version, number, view: changed(heard.view, change) } };
}

/** A view with what changed in it. A seat at which nothing changed stays the same object, and is not drawn again. */
function changed(view: View, { seats = [], ...rest }: ViewChange): View {
  const after = view.seats.map((seat) => {
    const change = seats.find((one) => one.seat === seat.seat);
    return change ? { ...seat, ...change } : seat;
  });
  return { ...view, ...rest, seats: seats.length > 0 ? after : view.seats };
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
