import { say } from "./text/text.svelte";

/** Something that can be done now, and the key that does it. */
export interface Deed {
  key: string;
  act: () => void;
}

/** The fixed keys of calls, so that hands learn them. */
const CALL_KEYS: Record<string, string> = {
  hit: "h",
  stand: "s",
  double: "d",
  split: "p",
  surrender: "u",
  war: "w",
  attack: "a",
  insure: "i",
  "even-money": "e",
  pass: "n",
};

/** The order of calls in the bar, so that hands find them. */
const CALL_ORDER = ["stand", "hit", "double", "split", "war", "attack", "insure", "even-money", "surrender", "pass"];

/** Calls as they stand in the bar: one that is not known comes last. */
export function inOrder<Call extends { call: string }>(calls: readonly Call[]): Call[] {
  const place = ({ call }: Call) => (CALL_ORDER.includes(call) ? CALL_ORDER.indexOf(call) : CALL_ORDER.length);
  return calls.toSorted((one, other) => place(one) - place(other));
}

/** The key of a call. */
export function keyOf(call: string): string {
  return CALL_KEYS[call] ?? "Enter";
}

/** A key as people write it on a button. */
export function label(key: string): string {
  const names: Record<string, string> = {
    Enter: "↵",
    Backspace: "⌫",
    Escape: say("key.escape"),
    " ": say("key.space"),
  };
  return names[key] ?? key.toUpperCase();
}

/** The parts of a keyboard event that matter here. */
export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
  target: EventTarget | null;
}

/** How long Enter and Space wait for the eyes when the bar has become another one. */
export const SETTLING = 400;

/** Whether whoever sits there has had the time to see what changed at a moment. */
export function isSettled(changed: number, now = performance.now()): boolean {
  return now - changed >= SETTLING;
}

/** Whether a key press was meant for what the bar showed before it changed. */
export function isStale({ key }: Pick<Press, "key">, changed: number, now = performance.now()): boolean {
  return (key === "Enter" || key === " ") && !isSettled(changed, now);
}

/** Which deed a key press means; none while someone types, holds a key down, or calls a shortcut. */
export function deedFor(press: Press, deeds: readonly Deed[]): Deed | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.repeat) return null;
  if (isOwnUse(press)) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  return deeds.find((deed) => deed.key === key) ?? null;
}

/** Whether the element that has the focus has a use of its own for the key. */
function isOwnUse({ key, target }: Press): boolean {
  const element = target as { tagName?: string; type?: string } | null;
  const isTyping = element?.tagName === "INPUT" && element.type !== "range";
  if (isTyping || element?.tagName === "TEXTAREA") return key !== "Enter" && key !== "Escape";
  const isPressed = ["BUTTON", "A", "SUMMARY"].includes(element?.tagName ?? "");
  if (isPressed) return key === "Enter" || key === " ";
  return element?.tagName === "INPUT" && /^(Arrow|Page|Home|End)/.test(key);
}
