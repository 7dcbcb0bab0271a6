/** A card as the wire writes it: `9d`, `Ts`, or `??` where its face is not for us. */
export type CardText = string;

export type Suit = "clubs" | "diamonds" | "hearts" | "spades";

export interface Face {
  /** What the corner says. */
  index: string;
  suit: Suit;
  /** What a dealer would call it. */
  name: string;
}

const SUITS: Record<string, Suit> = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

const RANKS: Record<string, [index: string, name: string]> = {
  "2": ["2", "two"],
  "3": ["3", "three"],
  "4": ["4", "four"],
  "5": ["5", "five"],
  "6": ["6", "six"],
  "7": ["7", "seven"],
  "8": ["8", "eight"],
  "9": ["9", "nine"],
  T: ["10", "ten"],
  J: ["J", "jack"],
  Q: ["Q", "queen"],
  K: ["K", "king"],
  A: ["A", "ace"],
};

/** The face of a card; null where it lies face down. */
export function face(card: CardText): Face | null {
  const [rank, suit] = [RANKS[card[0] ?? ""], SUITS[card[1] ?? ""]];
  if (!rank || !suit || card.length !== 2) return null;
  return { index: rank[0], suit, name: `${rank[1]} of ${suit}` };
}

/** What a card is called, open or not. */
export function called(card: CardText): string {
  return face(card)?.name ?? "a card face down";
}
