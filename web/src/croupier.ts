import { face, rankName } from "./cards";
import { owed } from "./money";
import { bettorAt, boxOf } from "./people";
import type { AboutTable, Holds, ResultView, SeatView, View } from "./wire";
import { net } from "./words";
import { became, briefly, holdsInWords } from "./text/of_house";
import { say } from "./text/text.svelte";

/** The wagers that the cards of a hand decide, the one that tells most first. */
const DECIDED_BY_THE_HAND = ["war", "main", "split", "double"];

/** The wagers that end as the hand does. */
const WITH_THE_HAND = [...DECIDED_BY_THE_HAND, "attack"];

/** What a croupier says of a hand once it is decided; empty where there is nothing to say. */
export function verdict(view: Pick<View, "dealer" | "dealer_holds">, seat: SeatView, hand: number): string {
  const own = seat.results.filter((result) => result.hand === hand);
  const result = DECIDED_BY_THE_HAND.flatMap((circle) => own.filter((one) => one.circle === circle))[0];
  if (!result) return "";
  const cards = seat.hands[hand - 1] ?? [];
  const [mine, dealers] = [count(seat.holds[hand - 1]), count(view.dealer_holds)];
  const both = { own: mine ?? rank(cards.at(-1)), dealer: dealers ?? rank(view.dealer.at(-1)) };
  switch (result.why) {
    case "lower":
      return mine ? say("verdict.lower", both) : say("verdict.lower-card", both);
    case "higher":
      return mine ? say("verdict.higher", both) : say("verdict.higher-card", both);
    case "equal":
      return say("verdict.equal", both);
    case "war-lost":
      return say("verdict.war-lost", both);
    case "war-won":
      return say("verdict.war-won", both);
    case "war-tied":
      return say("verdict.war-tied", { ...both, odds: briefly(result) });
    case "bust":
      return say("verdict.bust", both);
    case "dealer-bust":
      return say("verdict.dealer-bust", both);
    case "dealer-twenty-two":
      return say("verdict.dealer-22");
    case "natural":
      return say("verdict.natural", { odds: briefly(result) });
    case "even-money":
      return say("verdict.even-money");
    case "both-naturals":
      return say("verdict.both-naturals");
    case "dealer-natural":
      return say("verdict.dealer-natural");
    case "not-at-risk":
      return say("verdict.not-at-risk");
    case "surrender":
      return say("verdict.surrender");
    case "pay-table":
      return payLine(result, seat.holds[hand - 1] ?? null, [...cards, ...view.dealer]);
    case "payout-limit":
      return say("verdict.payout-limit", { words: became(result) });
    case "void":
      return say("verdict.void");
    case "release":
    case "dead-hand":
      return say("verdict.out");
    default:
      return became(result);
  }
}

/** What a croupier says of a box: of each hand, where there are several. */
export function verdicts(view: View, seat: SeatView): string[] {
  const said = seat.hands.map((_, index) => verdict(view, seat, index + 1));
  const told = said.flatMap((words, index) => (words === "" ? [] : [{ words, hand: index + 1 }]));
  const different = new Set(told.map(({ words }) => words));
  if (different.size < 2) return [...different];
  if (told.length > MOST_TOLD) return [summary(seat)];
  return told.map(({ words, hand }) => say("verdict.hand", { hand, words }));
}

/** The wager beside a hand that won most, without which a total would be a riddle: `Tie pays 10 to 1`; empty where none did. */
export function side(results: readonly ResultView[], { circles }: Pick<AboutTable, "circles">): string {
  const beside = results.filter(({ circle, gain }) => !WITH_THE_HAND.includes(circle) && owed(gain) > 0);
  const [most] = beside.toSorted((one, other) => owed(other.gain) - owed(one.gain));
  if (!most) return "";
  const title = circles.find(({ circle }) => circle === most.circle)?.title ?? most.circle;
  if (most.odds === null) return say("verdict.other", { hand: title, words: became(most) });
  return say("felt.pays", { title, odds: briefly(most) });
}

/** Of how many hands each is spoken of. */
const MOST_TOLD = 2;

/** How many hands won and lost: `2 hands won, 1 lost, 1 pushed`. */
function summary({ hands, results }: SeatView): string {
  const nets = hands.map((_, index) => net({ results: results.filter(({ hand }) => hand === index + 1) }));
  const counted = [
    [nets.filter((won) => won > 0).length, "verdict.won"],
    [nets.filter((won) => won < 0).length, "verdict.lost"],
    [nets.filter((won) => won === 0).length, "verdict.pushed"],
  ] as const;
  const told = counted.filter(([count]) => count > 0).map(([count, key]) => say(key, { hands: count }));
  return say("verdict.hands", { hands: hands.length, told: told.join(", ") });
}

/** Whether something of ours is a great moment: a natural, a royal flush, a progressive that is hit. */
export function isGreat(view: View): boolean {
  return view.mine.some((place) => {
    const seat = view.seats.find((one) => one.seat === boxOf(place));
    const won = (bettorAt(view, place)?.results ?? []).filter(({ gain }) => owed(gain) > 0);
    const isRoyal = (seat?.holds ?? []).some((holds) => holds && "hand" in holds && holds.hand === "royal-flush");
    return won.some(({ why, circle }) => why === "natural" || circle === "progressive" || isRoyal);
  });
}

/** `Pair of kings pays 1 to 1`. */
function payLine(result: ResultView, holds: Holds | null, cards: readonly string[]): string {
  const [hand, gain] = [handName(holds, cards), owed(result.gain)];
  if (gain > 0) return say("verdict.pays", { hand, odds: briefly(result) });
  return gain < 0 ? say("verdict.no-pay", { hand }) : say("verdict.other", { hand, words: became(result) });
}

/** A poker hand by its name, with the rank of a pair, which decides what it is worth. */
function handName(holds: Holds | null, cards: readonly string[]): string {
  const kind = holds && "hand" in holds ? holds.hand : "nothing";
  const ranks = cards.flatMap((card) => face(card) ?? []);
  const twice = ranks.find((one) => ranks.filter(({ index }) => index === one.index).length === 2);
  if (kind === "pair" && twice) return say("verdict.pair", { ranks: rankName(twice, "ranks") });
  if (kind === "nothing") return say("verdict.no-pair");
  const name = holdsInWords({ hand: kind });
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A total without what no longer matters: whether an ace could count one. */
function count(holds: Holds | null | undefined): number | null {
  if (!holds || "hand" in holds) return null;
  return "hard" in holds ? holds.hard : holds.soft;
}

/** What a card counts as, in a word. */
function rank(card: string | undefined): string {
  const shown = face(card ?? "");
  return shown ? rankName(shown, "rank") : say("card.any");
}
