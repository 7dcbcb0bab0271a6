import { type Cents, cents } from "../money";
import type { Grade, ReviewedDecision, ReviewedRound } from "../wire";

/** A round with a review. */
export type Judged = ReviewedRound & { review: NonNullable<ReviewedRound["review"]> };

export function isJudged(round: ReviewedRound): round is Judged {
  return round.review !== null;
}

/** A result in parts, which add up to the cent. */
export interface Parts {
  expectation: Cents;
  play: Cents;
  luck: Cents;
  net: Cents;
}

/** The parts of a result after each round, which come with the earliest first. */
export function overTime(rounds: readonly Judged[]): Parts[] {
  let [expected, played, net] = [0, 0, 0];
  return rounds.map((round) => {
    expected += round.review.expectation;
    played += round.review.play;
    net += cents(round.net ?? "0") ?? 0;
    // Sums are rounded, and never their parts: luck is what remains.
    const [expectation, play] = [Math.round(100 * expected) || 0, Math.round(100 * played) || 0];
    return { expectation, play, luck: net - expectation - play, net };
  });
}

export const GRADES: readonly Grade[] = ["best", "close", "mistake", "blunder"];

/** The marks of grades, as chess players write them. */
export const MARKS: Record<Grade, string> = { best: "★", close: "≈", mistake: "?", blunder: "??", unsure: "–" };

/** A decision, and the round it was made in. */
export interface Made {
  round: Judged;
  decision: ReviewedDecision;
}

export function decisions(rounds: readonly Judged[]): Made[] {
  return rounds.flatMap((round) => round.review.decisions.map((decision) => ({ round, decision })));
}

/** What a decision cost on average, in dollars. */
export function costOf({ acts, chosen }: ReviewedDecision): number {
  return acts[chosen]?.cost ?? 0;
}

/** What comes before a sum of costs: whether all of them are certain. */
export const doubt = (made: readonly ReviewedDecision[]) =>
  made.some(({ acts, chosen }) => acts[chosen]?.cost_method !== "exact") ? "≈ " : "";

/** The most expensive decisions that were not the best, the worst first. */
export function mostExpensive(made: readonly Made[], most: number): Made[] {
  return made
    .filter(({ decision: { grade } }) => grade !== "best" && grade !== "unsure")
    .sort((one, other) => costOf(other.decision) - costOf(one.decision))
    .slice(0, most);
}

/** The share of decisions that were the best, of those with a grade; null without one. */
export function accuracy(made: readonly Made[]): number | null {
  const graded = made.filter(({ decision }) => decision.grade !== "unsure");
  return graded.length === 0 ? null : graded.filter(({ decision }) => decision.grade === "best").length / graded.length;
}

/** A break of so many seconds ends a session. */
const BREAK = 30 * 60;

/** Rounds at one table without a long break between them, the latest first. */
export interface Session {
  title: string;
  /** When its last round was over, in seconds since 1970. */
  at: number;
  rounds: ReviewedRound[];
}

/** The sessions of rounds that come with the latest first. */
export function sessions(rounds: readonly ReviewedRound[]): Session[] {
  const found: Session[] = [];
  for (const round of rounds) {
    const last = found.at(-1);
    const next = last?.rounds.at(-1);
    if (last && next?.table === round.table && next.at - round.at <= BREAK) last.rounds.push(round);
    else found.push({ title: round.title, at: round.at, rounds: [round] });
  }
  return found;
}
