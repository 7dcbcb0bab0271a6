import type { AboutTable, BehindView, SeatView, View } from "./wire";

/** Somebody with chips on a box: whoever sits there, or bets behind. */
export type Bettor = BehindView;

/** Everybody on a box; who sits there, and so decides, comes first. */
export function people(box: SeatView): Bettor[] {
  const { seat, name, rack, bot, ready, away, waits, wagers, results, behind } = box;
  if (name === null) return behind;
  return [{ at: String(seat), name, rack: rack ?? "0", bot, ready, away, waits, wagers, results }, ...behind];
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

/** Whether the table waits for somebody at one of our places. */
export function isAwaited({ awaited, mine }: View): boolean {
  return mine.some((place) => awaited.seats.includes(boxOf(place)));
}

/** Whether a place is a box of one's own, and not one behind somebody else. */
export function isOwnBox(place: string): boolean {
  return /^\d+$/.test(place);
}

/** Whether we may take an empty box: a first one, or while bets are open one besides our own. */
export function canSit(about: AboutTable, { mine, betting }: View): boolean {
  if (mine.length === 0) return true;
  return betting && mine.every(isOwnBox) && mine.length < term(about, "max_boxes_per_player");
}

/** Whether we may bet on the box of somebody else, as far as there is room: who has no box may. */
export function canStandBehind(about: AboutTable, { mine }: View, seat: SeatView): boolean {
  const there = people(seat).length;
  return mine.length === 0 && there > 0 && there < term(about, "max_bettors_per_box");
}

/** Whether boxes are shared at a table at all. */
export function isShared(about: AboutTable): boolean {
  return term(about, "max_bettors_per_box") > 1;
}
