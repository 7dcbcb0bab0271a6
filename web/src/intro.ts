import type { CardText } from "./cards";

/** A picture of how a game goes: cards as they lie, whose they are, and a line below. */
export interface Scene {
  hands: { whose: string; cards: CardText[]; sideways?: boolean }[];
  /** A chip or a token that lies with them. */
  lies?: "chip" | "raise" | "free";
  words: string;
}

const hand = (whose: string, cards: string) => ({ whose, cards: cards.split(" ") });

/** What somebody has to know who has never played a game, in a few pictures. What it pays stands on the felt. */
const SCENES: Record<string, Scene[]> = {
  "casino-war": [
    {
      hands: [hand("You", "Kd"), hand("Dealer", "9s")],
      lies: "chip",
      words: "One card for you, one for the dealer. The higher one wins.",
    },
    { hands: [hand("You", "9d"), hand("Dealer", "9s")], words: "Equal? Surrender half of your bet, or go to war." },
    {
      hands: [hand("You", "9d Kc"), hand("Dealer", "9s 4h")],
      lies: "raise",
      words: "War: put up the same again, and one more card each decides.",
    },
  ],
  "double-down-stud": [
    {
      hands: [hand("You", "Jd"), hand("For everybody", "?? Jc Td 4h")],
      lies: "chip",
      words: "Your card and four for everybody make your hand. One lies face down.",
    },
    { hands: [hand("You", "Jd")], lies: "raise", words: "Three are open: now you may double your bet." },
    {
      hands: [hand("Your hand", "Jd Jh Jc Td 4h")],
      words: "The last one is turned. You play against the pay table, not the dealer.",
    },
  ],
  "double-deck": [
    {
      hands: [hand("You", "9d 2h"), hand("Dealer", "6s ??")],
      lies: "chip",
      words: "Come closer to 21 than the dealer without going over. Faces count ten, aces one or eleven.",
    },
    { hands: [hand("You", "Td 3c 7h")], words: "Hit for another card, stand to keep what you have. Over 21 you bust." },
    {
      hands: [hand("Hand 2", "8c 9d"), hand("Hand 1", "8h Ts")],
      lies: "raise",
      words: "Double for one last card. Split two of a kind into two hands.",
    },
    { hands: [hand("Blackjack", "As Kd")], words: "An ace and a ten-value card: nothing beats it." },
  ],
  "double-attack": [
    { hands: [hand("Dealer", "6d")], lies: "chip", words: "The dealer’s card comes first, before any of yours." },
    { hands: [hand("Dealer", "6d")], lies: "raise", words: "A weak one? Attack: raise your bet now." },
    {
      hands: [hand("You", "9d 2h"), hand("Dealer", "6d")],
      words: "Then it is blackjack, with decks that have no tens. Surrender and lose only half.",
    },
  ],
  "free-bet": [
    {
      hands: [hand("You", "8s 8d"), hand("Dealer", "6d ??")],
      lies: "chip",
      words: "Blackjack, in which the house puts up your doubles and splits.",
    },
    {
      hands: [hand("Hand 2", "8d 3c"), hand("Hand 1", "8s Td")],
      lies: "free",
      words: "A FREE token stands for the bet: you win with it, and cannot lose it.",
    },
    {
      hands: [hand("Dealer", "6d Ks 6c")],
      words: "The price: a dealer who goes over with 22 pays nothing, and takes nothing.",
    },
  ],
};

/** The pictures of a game; none where it is not known here. */
export function scenes(game: string): Scene[] {
  return SCENES[game] ?? [];
}

const INVITATIONS: Record<string, string> = {
  "casino-war": "One card each. The higher one wins, and equal cards go to war.",
  "double-down-stud": "Five cards against a pay table. See four of them before you double.",
  "double-deck": "Blackjack from two decks, with your cards in your own hand.",
  "double-attack": "See the dealer’s card, and raise before your own are dealt.",
  "free-bet": "Blackjack in which the house puts up your doubles and splits.",
};

/** What a game is, in one line. */
export function invitation(game: string): string {
  return INVITATIONS[game] ?? "";
}
