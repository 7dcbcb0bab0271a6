import { sha256 } from "./sha256";

const KEY = "pitboss contributions";

/** The most contributions that are remembered. */
const MOST_KEPT = 50;

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

/** Remembers in this browser what was added to the order with a seal, to look for it later. */
export function keep(seal: string, bytes: string): void {
  try {
    const kept = [...read().filter(([other]) => other !== seal), [seal, bytes]];
    localStorage.setItem(KEY, JSON.stringify(kept.slice(-MOST_KEPT)));
  } catch {
    // Nothing may be kept here.
  }
}

/** What this browser added to the order with a seal, as far as it remembers. */
export function kept(seal: string): string | null {
  return read().find(([other]) => other === seal)?.[1] ?? null;
}

function read(): [seal: string, bytes: string][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as [string, string][]) : [];
  } catch {
    return [];
  }
}
