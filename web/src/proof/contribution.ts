import { sha256 } from "./sha256";

const BYTES = /^[0-9a-f]{64}$/;

/** What someone typed, as 32 bytes: as they are, or the hash of the words; chance where it is empty. */
export function bytesOf(typed: string): string {
  const words = typed.trim();
  if (words === "") return chance();
  return BYTES.test(words.toLowerCase()) ? words.toLowerCase() : sha256(words);
}

/** 32 bytes that nobody can foresee. */
function chance(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
