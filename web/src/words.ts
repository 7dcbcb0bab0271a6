import { boxOf, isAwaited, people } from "./people";
import { dollars, gain, owed } from "./money";
import type { AboutTable, AmountsView, CorrectionLine, DecksView, SeatView, View } from "./wire";

/** What the table waits for, as one sentence. */
export function awaited(view: View): string {
  const { what, seats } = view.awaited;
  const mine = new Set(view.mine.map(boxOf));
  const isMine = what === "act" ? view.offers.length > 0 : isAwaited(view);
  const others = names(view, isMine ? seats.filter((seat) => !mine.has(seat)) : seats);
  switch (what) {
    case "player":
      return "Nobody is at the table yet.";
    case "decks":
      return "New cards come to the table.";
    case "inspection":
      return isMine ? "Please look at the cards." : `${others} may look at the cards.`;
    case "commitments":
      return "The order of the cards is sealed, and players commit to bytes of their own.";
    case "openings":
      return "The players open their commitments.";
    case "supervisor":
      return "The table waits for a supervisor.";
    case "choice":
      return isMine ? "It is your choice." : `Waiting for ${others}.`;
    case "shuffle":
      return "The cards are being shuffled.";
    case "cut":
      return isMine ? "Will you cut the cards?" : `${others} may cut the cards.`;
    case "wagers":
      return betting(view);
    case "act":
      return isMine ? "It is your decision." : `Waiting for ${others}.`;
    default:
      return "The dealer is at work.";
  }
}

/** Who has said that they are ready, and who is waited for. */
function betting(view: View): string {
  const everyone = view.seats.flatMap(people);
  const isReady = everyone.some(({ at, ready }) => ready && view.mine.includes(at));
  const late = everyone.filter(({ ready, away, waits, rack }) => !ready && !away && !waits && owed(rack) > 0);
  if (!isReady || late.length === 0) return "Bets are open.";
  return `Waiting for ${listed(late.map(({ name }) => name))}.`;
}

/** People by name, or by seat where nobody has one. */
export function names(view: View, seats: readonly number[]): string {
  const named = seats.map((seat) => {
    const who = view.seats.find((other) => other.seat === seat);
    return who?.name ? called(who.name, who.away) : `seat ${seat}`;
  });
  return listed(named);
}

/** A name, and whether it is worth waiting for. */
function called(name: string, isAway: boolean): string {
  return isAway ? `${name} (away)` : name;
}

/** `ann, bob, and cat`; a name counts once. */
function listed(named: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(new Set(named));
}

/** Amounts as a sign at the table has them: "5 to 500", "5", "5 to 500 by 5". */
export function range({ least, most, step }: AmountsView): string {
  if (least === most) return dollars(owed(least));
  const steps = owed(step) > 100 ? ` by ${dollars(owed(step))}` : "";
  return `${dollars(owed(least))} to ${dollars(owed(most))}${steps}`;
}

/** What each circle takes before the deal. */
export function limits({ circles }: AboutTable): string[] {
  return circles.flatMap(({ title, opening }) => (opening ? [`${title} ${range(opening)}`] : []));
}

/** How full a table is. */
export function seatsTaken(taken: number, seats: number): string {
  if (taken === 0) return `${seats} seats, all free`;
  return taken >= seats ? "every seat is taken" : `${taken} of ${seats} seats taken`;
}

/** `6 decks of 52`. */
export function howMany({ cards, times }: DecksView): string {
  return `${times} ${times === 1 ? "deck" : "decks"} of ${cards.length}`;
}

/** Circles whose odds a layout prints; what the others pay goes without saying, or has a pay table. */
const PRINTED = ["tie", "insurance"];

/** What the felt has printed on it of what is paid. */
export function printed({ circles, pays }: AboutTable): string[] {
  const natural = pays.find(({ circle, code }) => circle === "main" && code === "natural");
  const odds = circles.flatMap(({ circle, title }) => {
    const own = pays.filter((pay) => pay.circle === circle);
    return PRINTED.includes(circle) && own[0] ? [`${title} pays ${own[0].odds}`] : [];
  });
  return [...(natural ? [`Blackjack pays ${natural.odds}`] : []), ...odds];
}

/** What became of the wagers of a seat, to be read aloud. */
export function results(about: AboutTable, seat: Pick<SeatView, "results">): string {
  const title = (name: string) => about.circles.find(({ circle }) => circle === name)?.title ?? name;
  const each = seat.results.map(({ circle, gain: won, words }) => `${title(circle)} ${gain(owed(won))}, ${words}.`);
  return each.join(" ");
}

/** The net of all circles of somebody in the last round. */
export function net(bettor: Pick<SeatView, "results"> | null): number {
  return (bettor?.results ?? []).reduce((sum, { gain: won }) => sum + owed(won), 0);
}

/** A supervisor's correction of a round. */
export function corrected({ amount, from, to, by, because }: CorrectionLine): string {
  return `Corrected by ${by}: ${dollars(owed(amount))} from ${from} to ${to}, because ${because}.`;
}

/** How long something lasts: `1 h 5 min`. */
export function lasting(minutes: number): string {
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const WHEN = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** A moment, in seconds since 1970, as people here write it. */
export function when(seconds: number): string {
  return WHEN.format(seconds * 1000);
}
