import type { Refusal } from "./wire";

/** A refusal that the page itself is the reason for. */
export function ours(code: string, sentence: string): Refusal {
  return { code, parameters: {}, source: { type: "house" }, sentence };
}
