import { expect } from "vitest";

/** A card as the log writes it, or as people do. */
const CARD = /(?<![\w♠♣♥♦])(?:(10|[2-9TJQKA])([♣♦♥♠])|([2-9TJQKA])([cdhs]))(?!\w)/g;

const NAMED =
  /\b(two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace) of (clubs|diamonds|hearts|spades)\b/g;

const RANKS: Record<string, string> = {
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  ten: "T",
  jack: "J",
  queen: "Q",
  king: "K",
  ace: "A",
  "10": "T",
};

const SUITS: Record<string, string> = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/** Every card that a text names, in whatever way. */
export function cardsIn(text: string): string[] {
  const written = [...text.matchAll(CARD)].map(([, rank, suit, letter, initial]) =>
    letter ? letter + initial : (RANKS[rank ?? ""] ?? rank ?? "") + (SUITS[suit ?? ""] ?? ""),
  );
  const named = [...text.matchAll(NAMED)].map(([, rank, suit]) => (RANKS[rank ?? ""] ?? "") + (suit ?? "").charAt(0));
  return [...written, ...named];
}

/**
 * Checks all that a page was ever told: no card before it lay open on the table. `dealt` is the order
 * in which cards were laid open, as the log of the table has it.
 */
export function expectNothingUnseen(frames: readonly string[], dealt: readonly string[]): void {
  const open: string[] = [];
  expect(frames.length).toBeGreaterThan(0);
  for (const frame of frames) {
    const message = JSON.parse(frame) as { type: string; version?: number; events?: string[] };
    // Of which cards a shoe is made, everybody knows before it is shuffled.
    if (message.type === "table") continue;
    const laid = (message.events ?? []).flatMap((line) => /^card \S+ (\w\w)$/.exec(line)?.[1] ?? []);
    open.push(...laid);
    expect(dealt.slice(0, open.length), frame).toEqual(open);
    for (const card of cardsIn(frame)) expect(open, `${card} in ${frame}`).toContain(card);
  }
}

/** The cards that were laid open, in order, as a log has them. */
export function dealtIn(log: string): string[] {
  return [...log.matchAll(/^\d+ \w+ > card \S+ ([2-9TJQKA][cdhs])$/gm)].map(([, card]) => card ?? "");
}
