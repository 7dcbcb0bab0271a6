import { dollars, owed } from "./money";
import type { AboutTable, TermView } from "./wire";

/** What a sign before the table would say of a term; nothing where it goes without saying. */
const SIGNS: Record<string, (value: string) => string | null> = {
  decks: (value) => `${value} decks`,
  max_boxes_per_player: (value) => (value === "1" ? null : `up to ${value} boxes a person`),
  max_bettors_per_box: (value) => (value === "1" ? null : `up to ${value} people on a box`),
  double_amount: (value) => (value === "equal" ? "double for the whole wager only" : "double for less"),
  even_money: (value) => (value === "on" ? "even money" : null),
  player_cards: (value) => (value === "private" ? "your cards are for your eyes" : "open cards"),
  dealing_mode: (value) =>
    value === "no_hole_card" ? "no hole card" : value === "hole_card" ? "hole card" : "hole card and reader",
  split_aces: (value) => (value === "full_play" ? "split aces are played on" : "one card to each split ace"),
  payout_limit: (value) => (value === "none" ? null : `a hand wins at most ${dollars(owed(value))}`),
  push22_paytable: (value) => `Push 22 by table ${value}`,
  second_deck: (value) => (value === "on" ? "two decks in turn" : "one deck"),
  progressive_seed: (value) => `the meter begins at ${dollars(owed(value))}`,
  cut_by: (value) => (value === "players" ? "players cut" : null),
};

/** The terms of a table in plain words, as far as they are worth a sign before it. */
export function plainly({ terms, signs }: AboutTable): string[] {
  const said = terms.flatMap(({ key, value }) => SIGNS[key]?.(value) ?? []);
  return [...said, ...signs.map(({ words }) => words.toLowerCase())];
}

/** What the house chose, to be read behind what it decides. */
export function chosen({ key, value }: Pick<TermView, "key" | "value">): string {
  if (value === "on") return "yes";
  if (value === "off") return "no";
  if (key.endsWith("_s")) return `${value} s`;
  return /^\d+(\.\d\d)?$/.test(value) ? dollars(owed(value)) : value.replaceAll("_", " ");
}
