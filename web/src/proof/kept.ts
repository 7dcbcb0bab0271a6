import { chance } from "../chance";
import { read, write } from "../memory";
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
    const kept = [...this.read().filter(([other]) => other !== name), [name, words]];
    write(this.key, JSON.stringify(kept.slice(-this.most)));
  }

  private read(): [name: string, words: string][] {
    try {
      const stored: unknown = JSON.parse(read(this.key) ?? "[]");
      return Array.isArray(stored) ? (stored as [string, string][]) : [];
    } catch {
      return [];
    }
  }
}

/** A key of this browser's own, from which its contributions are made; null where none may be kept. */
export function ownKey(): string | null {
  const kept = () => /^[0-9a-f]{64}$/.exec(read("key") ?? "")?.[0] ?? null;
  if (kept() === null) write("key", chance(32));
  return kept();
}

/** The bytes for the order of a shoe, by its seal. */
export const contributions = new Kept("contributions", 50);

/** The seal that a shoe had when it was seen first, by the person who saw it, the table and the shoe. */
export const seals = new Kept("seals", 200);

/** Hashes of entries of logs, by the person who was told them, the table and the entry: the first, and another one. */
const heads = new Kept("heads", 200);

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
