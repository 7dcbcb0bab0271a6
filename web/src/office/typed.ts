import type { Irregularity, KindView, Party, Place } from "../wire";

/** What went wrong, from what a supervisor typed: `9d`, `3 9d`, `dealer 9d`, `3 2`. */
export function irregularity({ kind, has_place, has_card }: KindView, typed: string): Irregularity {
  const words = typed
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  const card = has_card ? words.pop() : undefined;
  const where = has_place ? place(words) : null;
  return { kind, ...(where === null ? {} : { place: where }), ...(card === undefined ? {} : { card }) };
}

function place([first = "", second = "1"]: string[]): Place | null {
  if (first === "") return null;
  return first === "dealer" ? "dealer" : { hand: { seat: Number(first), hand: Number(second) } };
}

/** A party to a correction, from what a supervisor typed: `house`, `rack:3`, `player:ann`. */
export function party(typed: string): Party {
  const [word = "", name = ""] = typed.trim().split(":");
  if (word === "house") return "house";
  return word === "rack" ? { rack: name } : { player: name };
}

/** The last second of so many days from now, as Unix time; null where no number was typed. */
export function lastSecond(days: string, now: number): number | null {
  return days.trim() === "" ? null : Math.floor(now / 1000) + Number(days) * 24 * 60 * 60;
}
