import { describe, expect, it } from "vitest";
import { longest, worthOf } from "../src/coach/advice.svelte";
import { accuracy, decisions, doubt, isJudged, mostExpensive, overTime, sessions } from "../src/coach/sums";
import { chips, percent, why } from "../src/coach/why";
import type { ActValueView, CostMethod, Grade, ReviewedRound } from "../src/wire";

/** Acts with their gain and how often they win and push, the best one first. */
function acts(...given: [call: string, gain: number, chances?: [win: number, push: number]][]): ActValueView[] {
  const best = given[0]?.[1] ?? 0;
  return given.map(([call, gain, chances]) => ({
    call,
    amount: null,
    gain,
    cost: best - gain,
    cost_method: "exact",
    method: "exact",
    at_most: null,
    prospects: chances ? { win: chances[0], push: chances[1], lose: 1 - chances[0] - chances[1] } : null,
  }));
}

describe("why an act is the best", () => {
  it("is not said where it may not be", () => {
    const [stand, split] = acts(["stand", 1], ["split", 0.9]);
    const open = [stand, split].filter((act) => act !== undefined);
    const unsure = open.map((act) => ({ ...act, cost_method: "about" as const }));
    expect(why(unsure)).toBe("Standing seems best, but that is not certain.");
  });

  it.each([
    [acts(["stand", -1.5, [0.42, 0.05]], ["hit", -2.1, [0.38, 0.06]]), "Standing wins 42 %, hitting only 38 %."],
    // A push is no loss: fewer wins may be worth more.
    [acts(["stand", 0.5, [0.4, 0.2]], ["hit", 0.1, [0.45, 0.05]]), "Standing loses 40 %, hitting 50 %."],
    [
      acts(["double", 3.1, [0.55, 0.08]], ["hit", 2.2, [0.57, 0.08]]),
      "Doubling puts more chips on a hand that wins 55 % and loses 37 %.",
    ],
    [
      acts(["double", 3.1, [0.25, 0.25]], ["pass", 1.6, [0.25, 0.25]]),
      "The hand wins 25 %, and the wins pay more than the 50 % lost.",
    ],
    [
      acts(["hit", 1, [0.52, 0.1]], ["double", 0.4, [0.49, 0.09]]),
      "Hitting wins 52 %; doubling would put more chips on 49 %.",
    ],
    [
      acts(["split", -0.4], ["stand", -1.6, [0.25, 0]]),
      "Two new hands are worth −0.40 together; standing on one hand is worth −1.60.",
    ],
    [acts(["stand", 6.2, [0.8, 0]], ["split", 4.1]), "Standing wins 80 %; splitting is worth 2.10 less on average."],
    [
      acts(["surrender", -5, [0, 0]], ["hit", -5.4, [0.2, 0.05]]),
      "Surrendering loses less than playing on: hitting wins only 20 %.",
    ],
    [
      acts(["war", -2.3, [0.53, 0]], ["surrender", -5, [0, 0]]),
      "Going to war wins 53 %; surrendering is worth 2.70 less.",
    ],
    [
      acts(["pass", -1, [0.4, 0.1]], ["insure", -1.3, [0.31, 0]]),
      "Insurance wins 31 % here: not often enough for what it pays.",
    ],
    [acts(["stand", 1, [0.5, 0]], ["hit", 1, [0.5, 0]]), "Standing and hitting are worth the same."],
    [acts(["stand", 1, [0.5, 0]]), ""],
  ])("%#", (given, sentence) => expect(why(given)).toBe(sentence));

  it("writes averages with cents, and no chance that is possible as none", () => {
    expect([chips(1.004), chips(-0.004), chips(-1234.5), chips(2, false)]).toEqual([
      "+1.00",
      "0.00",
      "−1,234.50",
      "2.00",
    ]);
    expect([percent(0.004), percent(0), percent(0.996), percent(1), percent(0.425)]).toEqual([
      "<1",
      "0",
      ">99",
      "100",
      "43",
    ]);
  });

  it("finds what the chips that are chosen are worth", () => {
    const [plain] = acts(["war", -2]);
    const more = { ...plain!, amount: "5.00", gain: -2.9 };
    expect(worthOf([plain!, more], "war", null)).toBe(plain);
    expect(worthOf([plain!, more], "war", "5")).toBe(more);
    expect(worthOf([plain!, more], "war", "3")).toBeNull();
  });

  it("draws bars to the scale of what is shown", () => {
    const all = acts(["war", -2], ["surrender", -5], ["war-with-tie", -110]);
    const shown = ["war", "surrender"].map((call) => worthOf(all, call, null));
    expect(longest([...shown, null])).toBe(5);
    expect(longest([])).toBe(0);
  });
});

/** A round with one decision of such a cost. */
function round(number: number, net: string, cost: number, grade: Grade, at = number * 60): ReviewedRound {
  const open = acts(["stand", 1, [0.5, 0]], ["hit", 1 - cost, [0.4, 0]]);
  const made = { seq: number, at: "1", field: null, acts: open, chosen: cost > 0 ? 1 : 0, grade };
  const [expectation, play] = [-0.0333, -cost];
  const luck = Number(net) - expectation - play;
  return {
    table: "deck-1",
    game: "double-deck",
    title: "Double Deck",
    options: "",
    round: number,
    at,
    net,
    review: { expectation, play, luck, decisions: [made], unvalued: 0 },
    no_review: null,
  };
}

describe("a review", () => {
  const rounds = [
    round(1, "+10.00", 0, "best"),
    round(2, "-10.00", 1.2345, "blunder"),
    round(3, "-5.00", 0.5, "mistake"),
  ].filter(isJudged);

  it("splits a result into parts that add up to the cent after every round", () => {
    for (const { expectation, play, luck, net } of overTime(rounds)) {
      expect(expectation + play + luck).toBe(net);
      expect([expectation, play, luck, net].every(Number.isInteger)).toBe(true);
    }
    // Three times −3.33 cents is −10 and not −9: sums are rounded, and not what is summed.
    expect(overTime(rounds).at(-1)).toEqual({ expectation: -10, play: -173, luck: -317, net: -500 });
  });

  it("finds what was most expensive, and how often it was the best", () => {
    const made = decisions(rounds);
    expect(accuracy(made)).toBeCloseTo(1 / 3);
    expect(accuracy([])).toBeNull();
    expect(mostExpensive(made, 3).map(({ round }) => round.round)).toEqual([2, 3]);
  });

  it("counts nothing as a mistake that is not certain to be one", () => {
    const made = decisions([...rounds, round(4, "-10.00", 2, "unsure")].filter(isJudged));
    expect(accuracy(made)).toBeCloseTo(1 / 3);
    expect(mostExpensive(made, 3).map(({ round }) => round.round)).toEqual([2, 3]);
    const costing = (cost_method: CostMethod) =>
      doubt(made.map(({ decision }) => ({ ...decision, acts: decision.acts.map((act) => ({ ...act, cost_method })) })));
    expect([costing("exact"), costing("at_least")]).toEqual(["", "≈ "]);
  });

  it("has a session for each table and each long break", () => {
    const later = { ...round(9, "0.00", 0, "best", 90_000), table: "war-1" };
    const found = sessions([later, round(4, "0.00", 0, "best", 10_000), ...rounds.toReversed()]);
    expect(found.map((session) => session.rounds.map((one) => one.round))).toEqual([[9], [4], [3, 2, 1]]);
  });
});
