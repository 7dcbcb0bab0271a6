import type { AboutTable, BehindView, SeatView, View } from "./wire";

/** Somebody with chips on a box: whoever sits there, or bets behind. */
export type Bettor = BehindView;

/** Everybody on a box; who sits there, and so decides, comes first. */
export function people({ seat, name, rack, bot, ready, wagers, results, behind }: SeatView): Bettor[] {
  if (name === null) return behind;
  return [{ at: String(seat), name, rack: rack ?? "0", bot, ready, wagers, results }, ...behind];
}

/** The number of the box of a place: 3 of `3b`. */
export function boxOf(place: string): number {
  return Number.parseInt(place, 10);
}

/** Somebody at a place of a table. */
export function bettorAt({ seats }: View, place: string): Bettor | null {
  const seat = seats.find((one) => one.seat === boxOf(place));
  return (seat && people(seat).find(({ at }) => at === place)) ?? null;
}

/** A number among the house's terms, where the game has it. */
function term({ terms }: AboutTable, name: string): number {
  return Number(terms.find(({ key }) => key === name)?.value ?? 1);
}

/** Whether a person may have another box of their own besides these places. */
export function canTakeMore(about: AboutTable, mine: readonly string[]): boolean {
  return mine.length < term(about, "max_boxes_per_player");
}

/** Whether another person may bet on a box, as far as there is room. */
export function canShare(about: AboutTable, seat: SeatView): boolean {
  const there = people(seat).length;
  return there > 0 && there < term(about, "max_bettors_per_box");
}

/** Whether boxes are shared at a table at all. */
export function isShared(about: AboutTable): boolean {
  return term(about, "max_bettors_per_box") > 1;
}
