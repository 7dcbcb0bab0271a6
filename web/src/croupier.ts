import { face, type Face } from "./cards";
import { owed } from "./money";
import { bettorAt, boxOf } from "./people";
import type { ResultView, SeatView, View } from "./wire";
import { net } from "./words";

/** The wagers that the cards of a hand decide, the one that tells most first. */
const DECIDED_BY_THE_HAND = ["war", "main", "split", "double"];

/** What a croupier says of a hand once it is decided; empty where there is nothing to say. */
export function verdict(view: Pick<View, "dealer" | "dealer_holds">, seat: SeatView, hand: number): string {
  const own = seat.results.filter((result) => result.hand === hand);
  const result = DECIDED_BY_THE_HAND.flatMap((circle) => own.filter((one) => one.circle === circle))[0];
  if (!result) return "";
  const cards = seat.hands[hand - 1] ?? [];
  const [mine, dealers] = [count(seat.holds[hand - 1]), count(view.dealer_holds)];
  const [own_, other] = [mine ?? rank(cards.at(-1)), dealers ?? rank(view.dealer.at(-1))];
  const [yours, theirs] = mine ? [`your ${own_}`, `Dealer ${other}`] : [`your ${own_}`, `Dealer’s ${other}`];
  switch (result.why) {
    case "lower":
      return `${theirs} beats ${yours}`;
    case "higher":
      return mine ? `Your ${own_} beats dealer’s ${other}` : `Your ${own_} beats the ${other}`;
    case "equal":
      return `Push: ${own_} each`;
    case "war-lost":
      return `The war is lost: ${other} beats ${yours}`;
    case "war-won":
      return `You win the war: your ${own_} beats the ${other}`;
    case "war-tied":
      return `A tie in the war: ${own_} each`;
    case "bust":
      return `You bust with ${own_}`;
    case "dealer-bust":
      return `Dealer busts with ${other}`;
    case "dealer-twenty-two":
      return "Dealer 22: push";
    case "natural":
      return `Blackjack pays ${result.brief}`;
    case "even-money":
      return "Blackjack: even money";
    case "both-naturals":
      return "Push: blackjack each";
    case "dealer-natural":
      return "Dealer has blackjack";
    case "not-at-risk":
      return "Dealer has blackjack; this wager comes back";
    case "surrender":
      return "Surrendered: half comes back";
    case "pay-table":
      return payLine(result, seat.holds[hand - 1] ?? "", [...cards, ...view.dealer]);
    case "payout-limit":
      return `${result.words}: the most that a hand can win`;
    case "void":
      return "The round is void: wagers come back";
    case "release":
    case "dead-hand":
      return "The hand is out: wagers come back";
    default:
      return result.words;
  }
}

/** What a croupier says of a box: of each hand, where there are several. */
export function verdicts(view: View, seat: SeatView): string[] {
  const said = seat.hands.map((_, index) => verdict(view, seat, index + 1));
  const told = said.flatMap((words, index) => (words === "" ? [] : [{ words, hand: index + 1 }]));
  const different = new Set(told.map(({ words }) => words));
  if (different.size < 2) return [...different];
  if (told.length > MOST_TOLD) return [summary(seat)];
  return told.map(({ words, hand }) => `Hand ${hand}: ${words}`);
}

/** Of how many hands each is spoken of. */
const MOST_TOLD = 2;

/** How many hands won and lost: `2 hands won, 1 lost, 1 pushed`. */
function summary({ hands, results }: SeatView): string {
  const nets = hands.map((_, index) => net({ results: results.filter(({ hand }) => hand === index + 1) }));
  const counted = [
    [nets.filter((won) => won > 0).length, "won"],
    [nets.filter((won) => won < 0).length, "lost"],
    [nets.filter((won) => won === 0).length, "pushed"],
  ] as const;
  const told = counted.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `${hands.length} hands: ${told.join(", ")}`;
}

/** Whether something of ours is a great moment: a natural, a royal flush, a progressive that is hit. */
export function isGreat(view: View): boolean {
  return view.mine.some((place) => {
    const seat = view.seats.find((one) => one.seat === boxOf(place));
    const won = (bettorAt(view, place)?.results ?? []).filter(({ gain }) => owed(gain) > 0);
    const isRoyal = seat?.holds.includes("royal flush") ?? false;
    return won.some(({ why, circle }) => why === "natural" || circle === "progressive" || isRoyal);
  });
}

/** `Pair of kings pays 1 to 1`. */
function payLine({ gain, words, brief }: ResultView, holds: string, cards: readonly string[]): string {
  const name = handName(holds, cards);
  if (owed(gain) > 0) return `${name} pays ${brief}`;
  return owed(gain) < 0 ? `${name}: no pay` : `${name}: ${words}`;
}

/** A poker hand by its name, with the rank of a pair, which decides what it is worth. */
function handName(holds: string, cards: readonly string[]): string {
  const ranks = cards.flatMap((card) => face(card) ?? []);
  const twice = ranks.find((one) => ranks.filter(({ index }) => index === one.index).length === 2);
  if (holds === "pair" && twice) return `Pair of ${plural(twice)}`;
  if (holds === "" || holds === "nothing") return "No pair";
  return holds.charAt(0).toUpperCase() + holds.slice(1);
}

function plural({ name }: Face): string {
  const word = name.split(" ")[0] ?? "";
  return word === "six" ? "sixes" : `${word}s`;
}

/** A total without what no longer matters: whether an ace could count one. */
function count(holds: string | null | undefined): string | null {
  const total = holds?.replace("soft ", "") ?? "";
  return /^\d+$/.test(total) ? total : null;
}

/** What a card counts as, in a word. */
function rank(card: string | undefined): string {
  return face(card ?? "")?.name.split(" ")[0] ?? "card";
}
