import { dollars, owed } from "./money";
import type { AboutTable, TermView } from "./wire";
import { say } from "./text/text.svelte";

/** What a sign before the table would say of a term; nothing where it goes without saying. */
const SIGNS: Record<string, (value: string) => string | null> = {
  decks: (decks) => say("sign.decks", { decks }),
  max_boxes_per_player: (value) => (value === "1" ? null : say("sign.boxes", { boxes: value })),
  max_bettors_per_box: (value) => (value === "1" ? null : say("sign.bettors", { people: value })),
  double_amount: (value) => (value === "equal" ? say("sign.double-all") : say("sign.double-less")),
  even_money: (value) => (value === "on" ? say("sign.even-money") : null),
  player_cards: (value) => (value === "private" ? say("sign.private") : say("sign.open")),
  dealing_mode: (value) =>
    say(value === "no_hole_card" ? "sign.no-hole" : value === "hole_card" ? "sign.hole" : "sign.reader"),
  split_aces: (value) => say(value === "full_play" ? "sign.aces-on" : "sign.aces-one"),
  payout_limit: (value) => (value === "none" ? null : say("sign.payout-limit", { amount: dollars(owed(value)) })),
  push22_paytable: (value) => say("sign.push22", { table: value }),
  second_deck: (value) => say(value === "on" ? "sign.two-decks" : "sign.one-deck"),
  progressive_seed: (value) => say("sign.meter", { amount: dollars(owed(value)) }),
  cut_by: (value) => (value === "players" ? say("sign.players-cut") : null),
};

/** The terms of a table in plain words, as far as they are worth a sign before it. */
export function plainly({ terms, signs }: AboutTable): string[] {
  const said = terms.flatMap(({ key, value }) => SIGNS[key]?.(value) ?? []);
  return [...said, ...signs.map(({ words }) => words.toLowerCase())];
}

/** What follows the question mark for a table with these house options, written as `decks=8 seats=6`. */
export const withOptions = (set: string) => (set === "" ? "" : `?${new URLSearchParams({ set })}`);

/** What the house chose, to be read behind what it decides. */
export function chosen({ key, value }: Pick<TermView, "key" | "value">): string {
  if (value === "on") return say("yes");
  if (value === "off") return say("no");
  if (key.endsWith("_s")) return say("seconds", { seconds: value });
  return /^\d+(\.\d\d)?$/.test(value) ? dollars(owed(value)) : value.replaceAll("_", " ");
}
