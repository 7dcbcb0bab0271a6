import { chance } from "../chance";
import type { CommitmentView } from "../wire";
import { contributions, ownKey } from "./kept";
import { sha256 } from "./sha256";
import { say } from "../text/text.svelte";

const BYTES = /^[0-9a-f]{64}$/i;

/** The shoe for which somebody commits to bytes. */
export interface ShoePlace {
  /** The id of the house. */
  house: string;
  table: string;
  shoe: number;
  seal: string;
}

/** And where. */
export interface CommitmentPlace extends ShoePlace {
  /** The place of whoever commits. */
  seat: string;
}

/** The commitment to bytes, as in docs/fair-order.md. */
export function commitmentOf({ house, table, shoe, seal, seat }: CommitmentPlace, bytes: string): string {
  return sha256(["pitboss commitment", house, table, shoe, seal, seat, bytes].join("\n"));
}

/** A key for the pages of a browser that may keep nothing. */
let fallback: string | null = null;

/**
 * The bytes of this browser for a shoe, made from a key that never leaves the browser, the shoe and the
 * words that were typed, which others may guess; or 64 hexadecimal digits as they were typed. They are written down before anything is sent, so that a reload or another tab can open.
 */
export function bytesFor({ house, table, shoe, seal }: ShoePlace, typed: string): string {
  const before = contributions.get(seal);
  if (before !== null) return before;
  const key = ownKey() ?? (fallback ??= chance(32));
  const words = typed.trim();
  const bytes = BYTES.test(words)
    ? words.toLowerCase()
    : sha256(["pitboss bytes", key, house, table, shoe, seal, words].join("\n"));
  contributions.set(seal, bytes);
  return bytes;
}

/** How our contribution to a shoe stands; null where there is nothing to say. */
export type Standing = "kept" | "left-out" | "not-recorded" | "too-late" | null;

/** How our contribution stands once the list of a shoe is closed. */
export function standing(list: readonly CommitmentView[], isMixed: boolean, place: ShoePlace): Standing {
  const bytes = contributions.get(place.seal);
  if (bytes === null) return isMixed ? "too-late" : null;
  const listed = list.find(({ at, commitment }) => commitment === commitmentOf({ ...place, seat: at }, bytes));
  if (listed === undefined) return "left-out";
  return isMixed && !listed.opened ? "not-recorded" : "kept";
}

/** A standing in one sentence, where a player should know it before any wager. */
export function inWords(standing: Standing): string | null {
  switch (standing) {
    case "left-out":
      return say("contribution.left-out");
    case "not-recorded":
      return say("contribution.not-recorded");
    case "too-late":
      return say("contribution.too-late");
    default:
      return null;
  }
}
