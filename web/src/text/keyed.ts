import { en, type Key } from "./en";

/** The texts of a language by their keys. The build leaves out keys, and keeps the order that English has. */
export function keyed(texts: readonly string[]): Record<Key, string> {
  return Object.fromEntries(Object.keys(en).map((key, index) => [key, texts[index]])) as Record<Key, string>;
}
