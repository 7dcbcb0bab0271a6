import { boxOf, isAwaited, people } from "./people";
import { dollars, gain, owed } from "./money";
import type { AboutTable, AmountsView, CorrectionLine, DecksView, OpenTable, SeatView, View } from "./wire";
import { became, oddsInWords } from "./text/of_house";
import { listed, say, speech } from "./text/text.svelte";

/** What the table waits for, as one sentence. */
export function awaited(view: View): string {
  const { what, seats } = view.awaited;
  const mine = new Set(view.mine.map(boxOf));
  const isMine = what === "act" ? view.offers.length > 0 : isAwaited(view);
  const others = names(view, isMine ? seats.filter((seat) => !mine.has(seat)) : seats);
  switch (what) {
    case "player":
      return say("awaits.player");
    case "decks":
      return say("awaits.decks");
    case "inspection":
      return isMine ? say("awaits.inspection.you") : say("awaits.inspection", { names: others });
    case "commitments":
      return say("awaits.commitments");
    case "openings":
      return say("awaits.openings");
    case "supervisor":
      return say("awaits.supervisor");
    case "choice":
      return isMine ? say("awaits.choice.you") : say("awaits.others", { names: others });
    case "shuffle":
      return say("awaits.shuffle");
    case "cut":
      return isMine ? say("awaits.cut.you") : say("awaits.cut", { names: others });
    case "wagers":
      return betting(view);
    case "act":
      return isMine ? say("awaits.act.you") : say("awaits.others", { names: others });
    default:
      return say("awaits.dealer");
  }
}

/** Below so many seconds a wait is told in tens of them. */
const LONG_WAIT = 90;

/** About how long it is until a shuffle; nothing where that is not known. */
export function untilShuffle({ shuffle_in: seconds }: Pick<View, "shuffle_in">): string {
  if (seconds === null) return "";
  return seconds < LONG_WAIT
    ? say("barred.seconds", { seconds: Math.max(10, Math.ceil(seconds / 10) * 10) })
    : say("barred.minutes", { minutes: Math.round(seconds / 60) });
}

/** Who has said that they are ready, and who is waited for. */
function betting(view: View): string {
  const everyone = view.seats.flatMap(people);
  const isReady = everyone.some(({ at, ready }) => ready && view.mine.includes(at));
  const late = everyone.filter(({ ready, away, waits, rack }) => !ready && !away && !waits && owed(rack) > 0);
  // Who may not bet is told below when that will be.
  if (view.barred) return say("awaits.bets-of-others");
  if (!isReady || late.length === 0) return say("awaits.bets");
  return say("awaits.others", { names: listed(late.map(({ name }) => name)) });
}

/** People by name, or by seat where nobody has one. */
export function names(view: View, seats: readonly number[]): string {
  const named = seats.map((seat) => {
    const who = view.seats.find((other) => other.seat === seat);
    return who?.name ? called(who.name, who.away) : say("seat", { seat });
  });
  return listed(named);
}

/** A name, and whether it is worth waiting for. */
function called(name: string, isAway: boolean): string {
  return isAway ? say("name.away", { name }) : name;
}

/** Amounts as a sign at the table has them: "5 to 500", "5", "5 to 500 by 5". */
export function range({ least, most, step }: AmountsView): string {
  if (least === most) return dollars(owed(least));
  const range = { least: dollars(owed(least)), most: dollars(owed(most)) };
  return owed(step) > 100 ? say("amounts.by", { ...range, step: dollars(owed(step)) }) : say("amounts.range", range);
}

/** What each circle takes before the deal. */
export function limits({ circles }: AboutTable): string[] {
  return circles.flatMap(({ title, opening }) => (opening ? [`${title} ${range(opening)}`] : []));
}

/** How full a table is. */
export function seatsTaken(taken: number, seats: number): string {
  if (taken === 0) return say("lobby.all-free", { seats });
  return taken >= seats ? say("lobby.all-taken") : say("lobby.taken", { taken, seats });
}

/** What the house earns with the main wager, in millionths: `House edge 2.33 %`; nothing where it is not known yet. */
export function houseEdge(millionths: number | null): string {
  if (millionths === null) return "";
  const share = new Intl.NumberFormat(speech.language, { style: "percent", maximumFractionDigits: 2 });
  return say(millionths > 0 ? "lobby.edge" : "lobby.no-edge", { edge: share.format(Math.abs(millionths) / 1e6) });
}

/** How fast a table is. */
export function pace({ betting_seconds: seconds, round_seconds: round }: OpenTable): string {
  return round === null ? say("lobby.betting", { seconds }) : say("lobby.rounds", { seconds, round });
}

/** `6 decks of 52`. */
export function howMany({ cards, times }: DecksView): string {
  return say("felt.decks", { decks: times, cards: cards.length });
}

/** Circles whose odds a layout prints; what the others pay goes without saying, or has a pay table. */
const PRINTED = ["tie", "insurance"];

/** What the felt has printed on it of what is paid. */
export function printed({ circles, pays }: AboutTable): string[] {
  const natural = pays.find(({ circle, code }) => circle === "main" && code === "natural");
  const odds = circles.flatMap(({ circle, title }) => {
    const own = pays.filter((pay) => pay.circle === circle);
    return PRINTED.includes(circle) && own[0] ? [say("felt.pays", { title, odds: oddsInWords(own[0].odds) })] : [];
  });
  return [...(natural ? [say("felt.blackjack-pays", { odds: oddsInWords(natural.odds) })] : []), ...odds];
}

/** What became of the wagers of a seat, to be read aloud. */
export function results(about: AboutTable, seat: Pick<SeatView, "results">): string {
  const title = (name: string) => about.circles.find(({ circle }) => circle === name)?.title ?? name;
  const each = seat.results.map((result) =>
    say("verdict.result", { title: title(result.circle), gain: gain(owed(result.gain)), words: became(result) }),
  );
  return each.join(" ");
}

/** The net of all circles of somebody in the last round. */
export function net(bettor: Pick<SeatView, "results"> | null): number {
  return (bettor?.results ?? []).reduce((sum, { gain: won }) => sum + owed(won), 0);
}

/** A supervisor's correction of a round. */
export function corrected({ amount, from, to, by, because }: CorrectionLine): string {
  return say("corrected", { by, amount: dollars(owed(amount)), from, to, because });
}

/** How long something lasts: `1 h 5 min`. */
export function lasting(minutes: number): string {
  if (minutes < 60) return say("minutes", { minutes });
  return say("hours-minutes", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** A moment, in seconds since 1970, as people here write it. */
export function when(seconds: number): string {
  return new Intl.DateTimeFormat(speech.language, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);
}
