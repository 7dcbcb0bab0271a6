import { say } from "./text/text.svelte";

/** A card as the wire writes it: `9d`, `Ts`, or `??` where its face is not for us. */
export type CardText = string;

export type Suit = "clubs" | "diamonds" | "hearts" | "spades";

/** The ranks, as the wire writes them. */
type Rank = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "A";

export interface Face {
  /** What the corner says. */
  index: string;
  rank: Rank;
  suit: Suit;
}

const SUITS: Record<string, Suit> = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

const RANKS = /^[2-9TJQKA]$/;

/** The face of a card; null where it lies face down. */
export function face(card: CardText): Face | null {
  const [rank = "", suit] = [card[0], SUITS[card[1] ?? ""]];
  if (!RANKS.test(rank) || !suit || card.length !== 2) return null;
  return { index: rank === "T" ? "10" : rank, rank: rank as Rank, suit };
}

/** A rank in a word: one of it, or several. */
export function rankName({ rank }: Pick<Face, "rank">, number: "rank" | "ranks"): string {
  return say(`${number}.${rank}`);
}

/** What a dealer would call a card, open or not. */
export function called(card: CardText): string {
  const shown = face(card);
  if (shown === null) return say("card.down");
  return say("card.name", { rank: rankName(shown, "rank"), suit: say(`suit.${shown.suit}`) });
}
