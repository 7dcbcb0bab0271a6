import type { ActValueView, CostMethod } from "../wire";
import type { Key } from "../text/en";
import { say, speech } from "../text/text.svelte";

/** Differences below half a cent are none. */
const LEAST = 0.005;

/** An amount of chips that is an average, and so has cents always. */
export function chips(dollars: number, sign = true): string {
  const rounded = Math.abs(dollars) < LEAST ? 0 : dollars;
  const size = Math.abs(rounded).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${rounded < 0 ? "−" : rounded > 0 && sign ? "+" : ""}${size}`;
}

/** A chance as a whole number of percent; a small one is not called none, nor a great one certain. */
export function percent(chance: number): string {
  const whole = Math.round(100 * chance);
  if (whole === 0 && chance > 0) return "<1";
  if (whole === 100 && chance < 1) return ">99";
  return String(whole);
}

/** What comes before a cost that is not certain. */
export const SIGNS: Record<CostMethod, string> = { exact: "", at_least: "≥ ", at_most: "≤ ", about: "≈ " };

/** What an act costs on average. */
export const costed = ({ cost, cost_method }: ActValueView) => SIGNS[cost_method] + chips(cost, false);

/** Acts that have a name of their own in a sentence. */
const NAMES: Record<string, Key> = {
  stand: "coach.act.stand",
  hit: "coach.act.hit",
  double: "coach.act.double",
  split: "coach.act.split",
  surrender: "coach.act.surrender",
  war: "coach.act.war",
  insure: "coach.act.insure",
  "even-money": "coach.act.even-money",
  attack: "coach.act.attack",
  pass: "coach.act.pass",
};

/** An act as a sentence begins with it. */
export function actName({ call, amount }: Pick<ActValueView, "call" | "amount">): string {
  const key = NAMES[call];
  const name = key ? say(key as "coach.act.stand") : call;
  return amount === null ? name : say("coach.act-with", { act: name, amount });
}

/** The same within a sentence. */
export function within(act: ActValueView): string {
  const name = actName(act);
  return name.charAt(0).toLocaleLowerCase(speech.language) + name.slice(1);
}

/** Why the best of some acts is the best, in a sentence; empty where there is nothing to choose. */
export function why(acts: readonly ActValueView[]): string {
  const [first, ...others] = acts;
  const second = others.find(({ call }) => call !== first?.call) ?? others[0];
  if (!first || !second) return "";
  const [best, next] = [actName(first), within(second)];
  const cost = chips(second.cost, false);
  if (first.cost_method !== "exact") return say("coach.why.unsure", { best });
  if (second.cost < LEAST) return say("coach.why.same", { best, next });
  const insure = acts.find(({ call }) => call === "insure")?.prospects;
  if (insure && (first.call === "insure" || first.call === "pass"))
    return say(first.call === "insure" ? "coach.why.insure" : "coach.why.no-insure", { win: percent(insure.win) });
  if (first.call === "attack") return say("coach.why.attack", { cost });
  if (second.call === "attack") return say("coach.why.no-attack", { cost });
  if (first.call === "split")
    return say("coach.why.split", { next, gain: chips(first.gain), other: chips(second.gain) });
  const [own, other] = [first.prospects, second.prospects];
  if (!own) return say("coach.why.more", { best, next, cost });
  const [win, lose] = [percent(own.win), percent(own.lose)];
  if (first.call === "even-money" && other) return say("coach.why.even-money", { win: percent(other.win) });
  if (second.call === "even-money") return say("coach.why.no-even-money", { win });
  if (first.call === "surrender") {
    return other
      ? say("coach.why.surrender", { next, win: percent(other.win) })
      : say("coach.why.more", { best, next, cost });
  }
  if (second.call === "surrender") return say("coach.why.no-surrender", { best, win, cost });
  if (first.call === "double")
    return say(own.win > own.lose ? "coach.why.double" : "coach.why.double-pays", { win, lose });
  if (first.call === "pass" && second.call === "double") return say("coach.why.no-double", { win, lose });
  if (!other) return say("coach.why.beside", { best, win, next, cost });
  if (second.call === "double") return say("coach.why.fewer", { best, win, next, other: percent(other.win) });
  if (percent(own.win) !== percent(other.win) && own.win > other.win)
    return say("coach.why.wins", { best, win, next, other: percent(other.win) });
  if (percent(own.lose) !== percent(other.lose) && own.lose < other.lose)
    return say("coach.why.loses", { best, lose, next, other: percent(other.lose) });
  return say("coach.why.more", { best, next, cost });
}
