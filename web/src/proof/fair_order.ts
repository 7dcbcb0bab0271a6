import type { CardText } from "../cards";
import { sha256 } from "./sha256";

/** The hash of lines with a line feed between them. */
const hashed = (...lines: string[]) => sha256(lines.join("\n"));

/** The commitment to a salt and an order. */
export function sealOf(salt: string, order: readonly CardText[]): string {
  return hashed("pitboss shoe", salt, order.join(""));
}

/** The key of a mix: what the numbers come from. The values are openings, and commitments that were not opened. */
export function keyOf(seal: string, values: readonly string[]): string {
  return hashed("pitboss mix", seal, ...[...values].sort());
}

/** The cut that nobody named: drawn from the key, for the first, the second … time. */
export function drawnCut(key: string, draw: number, least: number, most: number): number {
  return least + below(most - least + 1, numbers(hashed("pitboss draw", key, String(draw))));
}

/** Numbers of 32 bits from a key, eight from each block. */
export function* numbers(key: string): Generator<number, never> {
  for (let block = 0; ; block++) {
    const digest = hashed("pitboss numbers", key, String(block));
    for (let at = 0; at < 64; at += 8) yield Number.parseInt(digest.slice(at, at + 8), 16);
  }
}

/** A number below a bound, each as likely as the others. */
function below(bound: number, source: Generator<number, never>): number {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const { value } = source.next();
    if (value < limit) return value % bound;
  }
}

/** The order that follows from the values of a mix; without any it is the sealed one. */
export function mixed(order: readonly CardText[], seal: string, values: readonly string[]): CardText[] {
  const cards = [...order];
  if (values.length === 0) return cards;
  const source = numbers(keyOf(seal, values));
  for (let last = cards.length - 1; last > 0; last--) {
    const other = below(last + 1, source);
    [cards[last], cards[other]] = [cards[other] ?? "", cards[last] ?? ""];
  }
  return cards;
}

/** The cards after so many went from the front to the back. */
export function cut(cards: readonly CardText[], at: number): CardText[] {
  return [...cards.slice(at), ...cards.slice(0, at)];
}
