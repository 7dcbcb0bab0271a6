import { type Cents, owed } from "./money";
import type { AboutTable, CircleView, PayView, ResultView, SeatView } from "./wire";
import type { Key } from "./text/en";

/** What a game's felt has printed on it, besides the circles that take the first wagers. */
interface Layout {
  /** Circles that are printed though nothing lies there before the deal. */
  circles: readonly string[];
  /** The circle whose pay table stands on the felt. */
  payTable: string | null;
  /** How many places for cards lie before the dealer. */
  dealer: number;
  /** What is printed besides the odds. */
  signs: readonly Extract<Key, "felt.dealer-22">[];
}

const PLAIN: Layout = { circles: [], payTable: null, dealer: 2, signs: [] };

const LAYOUTS: Record<string, Layout> = {
  "casino-war": { ...PLAIN, dealer: 1 },
  "double-down-stud": { ...PLAIN, circles: ["double"], payTable: "main", dealer: 4 },
  "double-deck": PLAIN,
  "double-attack": { ...PLAIN, circles: ["attack"], payTable: "bonus", dealer: 1 },
  "free-bet": { ...PLAIN, payTable: "push22", signs: ["felt.dealer-22"] },
};

/** The felt of a game; one that is not known here has a plain one. */
export function layout(game: string): Layout {
  return LAYOUTS[game] ?? PLAIN;
}

/** The pay table that stands on the felt. */
export function payTable({ game, pays }: AboutTable): PayView[] {
  const { payTable: circle } = layout(game);
  return pays.filter((pay) => pay.circle === circle);
}

/** Wagers on these circles lie with the hand that they are on; all others lie before the box. */
const WITH_THE_HAND = ["main", "split", "double"];

/** What lies on the cards of a hand that is given up, until that is decided. */
const ON_THE_CARDS = ["main", "attack"];

/** A circle, and what lies on it or became of what lay there. */
export interface Spot {
  circle: string;
  title: string;
  /** The title in a letter or two, which no other circle of the table has. */
  brief: string;
  isOpening: boolean;
  /** Chips of the player. */
  chips: Cents;
  /** What the lammers of the house stand for. */
  free: Cents;
  results: ResultView[];
}

/** A hand as it lies on the felt. */
export interface Hand {
  /** Counted from 1, from the dealer's left. */
  number: number;
  cards: readonly string[];
  /** Whether the last card lies across the others. */
  isDoubled: boolean;
  /** How many of the first cards are seen by their owner alone. */
  lifted: number;
  /** Whether it is given up, and what lay before it lies on it. */
  isGivenUp: boolean;
  /** What lies with this hand and not before the box. */
  spots: Spot[];
}

/** A box as it lies on the felt: its hands, and the circles before them. */
export interface Laid {
  hands: Hand[];
  spots: Spot[];
}

type Lying = Pick<SeatView, "hands" | "wagers" | "results" | "lifted" | "sideways" | "surrendered">;

/**
 * Lays out a box. With one hand everything lies on the circles; several hands have what is theirs
 * with them, and so has one that is given up. While bets are open the hands are those of the last round, and the wagers new ones.
 */
export function lay({ game, circles }: AboutTable, box: Lying, isBetting: boolean): Laid {
  const isFanned = box.hands.length > 1;
  const isGivenUp = !isFanned && (box.surrendered[0] ?? false);
  const isNear = ({ circle }: CircleView) =>
    isFanned ? WITH_THE_HAND.includes(circle) : isGivenUp && ON_THE_CARDS.includes(circle);
  const isBet = ({ opening }: CircleView) => isBetting && opening !== null;
  const isPrinted = ({ circle, isOpening }: Spot) => isOpening || layout(game).circles.includes(circle);

  const at = (circle: CircleView, wagers: Lying["wagers"], results: Lying["results"]) =>
    spot(circle, brief(circle, circles), wagers, results);

  const hands = box.hands.map((cards, index): Hand => {
    const isHere = ({ hand }: { hand: number }) => hand === index + 1;
    const wagers = isBetting ? [] : box.wagers.filter(isHere);
    const results = box.results.filter(isHere);
    return {
      number: index + 1,
      cards,
      isDoubled: box.sideways[index] ?? false,
      lifted: box.lifted[index] ?? 0,
      isGivenUp: box.surrendered[index] ?? false,
      spots: circles
        .filter(isNear)
        .map((circle) => at(circle, wagers, results))
        .filter(isUsed),
    };
  });
  const spots = circles
    .filter((circle) => !isNear(circle) || isBet(circle) || isGivenUp)
    .map((circle) => {
      const isAway = isNear(circle) && !isBet(circle);
      return at(circle, isAway ? [] : box.wagers, isNear(circle) ? [] : box.results);
    })
    .filter((one) => isPrinted(one) || isUsed(one));
  return { hands, spots };
}

/** The first letter of a circle's title, or of each of its words, or as many as tell it apart. */
export function brief({ title }: CircleView, circles: readonly CircleView[]): string {
  const others = circles.map((one) => one.title).filter((other) => other !== title);
  const ways = [
    (text: string) =>
      text
        .split(" ")
        .map((word) => word.slice(0, 1).toUpperCase())
        .join(""),
    (text: string) => text.slice(0, 2),
    (text: string) => text.slice(0, 3),
  ];
  const way = ways.find((shorten) => !others.some((other) => shorten(other) === shorten(title)));
  return way?.(title) ?? title;
}

function spot(
  { circle, title, opening }: CircleView,
  briefly: string,
  wagers: Lying["wagers"],
  results: Lying["results"],
): Spot {
  const here = wagers.filter((wager) => wager.circle === circle);
  const sum = (isFree: boolean) =>
    here.reduce((all, { free, amount }) => all + (free === isFree ? owed(amount) : 0), 0);
  return {
    circle,
    title,
    brief: briefly,
    isOpening: opening !== null,
    chips: sum(false),
    free: sum(true),
    results: results.filter((result) => result.circle === circle),
  };
}

function isUsed({ chips, free, results }: Spot): boolean {
  return chips + free > 0 || results.length > 0;
}
