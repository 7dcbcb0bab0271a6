import { chance } from "../chance";
import { sha256 } from "./sha256";

const BYTES = /^[0-9a-f]{64}$/;

/** What someone typed, as 32 bytes: as they are, or the hash of the words; chance where it is empty. */
export function bytesOf(typed: string): string {
  const words = typed.trim();
  if (words === "") return chance(32);
  return BYTES.test(words.toLowerCase()) ? words.toLowerCase() : sha256(words);
}
