import { chance } from "../chance";
import type { Head } from "./log";

/** Words that this browser remembers by name, for its own eyes: the last so many. */
class Kept {
  constructor(
    private readonly key: string,
    private readonly most: number,
  ) {}

  get(name: string): string | null {
    return this.read().find(([other]) => other === name)?.[1] ?? null;
  }

  /** All whose name begins so, the latest last. */
  startingWith(beginning: string): [name: string, words: string][] {
    return this.read().filter(([name]) => name.startsWith(beginning));
  }

  set(name: string, words: string): void {
    try {
      const kept = [...this.read().filter(([other]) => other !== name), [name, words]];
      localStorage.setItem(this.key, JSON.stringify(kept.slice(-this.most)));
    } catch {
      // Nothing may be kept here.
    }
  }

  private read(): [name: string, words: string][] {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      return Array.isArray(stored) ? (stored as [string, string][]) : [];
    } catch {
      return [];
    }
  }
}

/** A key of this browser's own, from which its contributions are made; null where none may be kept. */
export function ownKey(): string | null {
  const name = "pitboss key";
  try {
    const before = localStorage.getItem(name);
    if (before !== null && /^[0-9a-f]{64}$/.test(before)) return before;
    localStorage.setItem(name, chance(32));
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Where we cut when we are asked, from 0 (the front) to 1; null where we are asked every time. */
export function keptCut(): number | null {
  try {
    const share = Number.parseFloat(localStorage.getItem("pitboss cut") ?? "");
    return share >= 0 && share <= 1 ? share : null;
  } catch {
    return null;
  }
}

/** Keeps where we cut, for the next time: the window for it is short. */
export function keepCut(share: number | null): void {
  try {
    if (share === null) localStorage.removeItem("pitboss cut");
    else localStorage.setItem("pitboss cut", String(share));
  } catch {
    // We are asked again then.
  }
}

/** The bytes for the order of a shoe, by its seal. */
export const contributions = new Kept("pitboss contributions", 50);

/** The seal that a shoe had when it was seen first, by the person who saw it, the table and the shoe. */
export const seals = new Kept("pitboss seals", 200);

/** Hashes of entries of logs, by the person who was told them, the table and the entry: the first, and another one. */
const heads = new Kept("pitboss heads", 200);

/** Keeps the head of a table's log, so that the log cannot be rewritten behind our back. */
export function keepHead(person: string, table: string, { seq, hash }: Head): void {
  const name = `${person} ${table} ${seq}`;
  const first = heads.get(name)?.split(" ")[0];
  if (first !== hash) heads.set(name, first === undefined ? hash : `${first} ${hash}`);
}

/** The heads of a table's log that this browser was told. */
export function keptHeads(person: string, table: string): Head[] {
  const beginning = `${person} ${table} `;
  return heads
    .startingWith(beginning)
    .flatMap(([name, told]) => told.split(" ").map((hash) => ({ seq: Number(name.slice(beginning.length)), hash })));
}

/** The name of a shoe among the seals: names of guests are of one house alone. */
export function shoeName(person: string, table: string, shoe: number): string {
  return `${person} ${table} ${shoe}`;
}
