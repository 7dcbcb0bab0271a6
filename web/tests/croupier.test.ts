import { describe, expect, it } from "vitest";
import { isGreat, side, verdict, verdicts } from "../src/croupier";
import type { AboutTable, Holds } from "../src/wire";
import { result, seat, view } from "./view";

/** `18`, `soft 18` or `two-pair`. */
function made(words: string | undefined): Holds | null {
  const [first = "", second] = words?.trim().split(" ") ?? [];
  if (second) return { soft: Number(second) };
  return first === "" ? null : Number(first) ? { hard: Number(first) } : { hand: first };
}

/** What is said of one hand against the dealer's. */
function said(why: string, mine: string, dealers: string, change: Parameters<typeof result>[1] = {}): string {
  const [cards, holds] = mine.split("=");
  const [dealer, dealer_holds] = dealers.split("=");
  const box = seat({
    hands: [cards?.trim().split(" ") ?? []],
    holds: [made(holds)],
    results: [result("-10", { why, end: "take", ...change })],
  });
  return verdict({ dealer: dealer?.trim().split(" ") ?? [], dealer_holds: made(dealer_holds) }, box, 1);
}

describe("what a croupier says", () => {
  it("names both totals", () => {
    expect(said("lower", "Kd 7c = 17", "Ts Qh = 20")).toBe("Dealer 20 beats your 17");
    expect(said("higher", "Kd 9c = 19", "Ah 6h Ks = 17")).toBe("Your 19 beats dealer’s 17");
    expect(said("equal", "Ad 7c = soft 18", "Ts 8h = 18")).toBe("Push: 18 each");
    expect(said("bust", "Kd 7c 8s = 25", "Ts Qh = 20")).toBe("You bust with 25");
    expect(said("dealer-bust", "Kd 7c = 17", "Ts 6h 8d = 24")).toBe("Dealer busts with 24");
    expect(said("dealer-twenty-two", "Kd 7c = 17", "Ts 6h 6d = 22")).toBe("Dealer 22: push");
  });

  it("names cards where nothing is counted", () => {
    expect(said("lower", "9d", "Qh")).toBe("Dealer’s queen beats your nine");
    expect(said("higher", "Kd", "Qh")).toBe("Your king beats the queen");
    expect(said("war-won", "9d Kc", "9h 4h", { circle: "war" })).toBe("You win the war: your king beats the four");
    expect(said("war-lost", "9d 2c", "9h 4h", { circle: "war" })).toBe("You lose the war: four beats your two");
  });

  it("names the hand and its odds", () => {
    const won = { gain: "+10", end: "pay", odds: { pays: 1, to: 1 } } as const;
    expect(said("pay-table", "Kd = pair", "Kc 2s 7d 9h", won)).toBe("Pair of kings pays 1 to 1");
    expect(said("pay-table", "6d = pair", "6c 2s 7d 9h", { gain: "0", end: "push" })).toBe("Pair of sixes: push");
    expect(said("pay-table", "3d = nothing", "Kc 2s 7d 9h")).toBe("No pair: no pay");
    expect(
      said("natural", "Ad Kc = soft 21", "Ts 8h = 18", { gain: "+15", end: "pay", odds: { pays: 3, to: 2 } }),
    ).toBe("Blackjack pays 3 to 2");
  });

  it("names the wager beside a hand that won most, and none that the hand decides", () => {
    const circles = [
      { circle: "tie", title: "Tie" },
      { circle: "progressive", title: "Progressive" },
    ] as AboutTable["circles"];
    const won = { gain: "+50", end: "pay", odds: { pays: 10, to: 1 }, why: "pay-table" } as const;
    const results = [
      result("-10", { why: "war-lost", circle: "war" }),
      result("+50", { ...won, circle: "tie" }),
      result("-5", { circle: "envy", end: "take", why: "pay-table" }),
      result("+9000", { circle: "progressive", end: "award" }),
      result("+10", { ...won, circle: "attack" }),
      result("+10", { ...won, circle: "main" }),
    ];
    expect(side(results.slice(0, 3), { circles })).toBe("Tie pays 10 to 1");
    expect(side(results, { circles })).toBe("Progressive: wins the progressive");
    expect(side(results.slice(4), { circles })).toBe("");
  });

  it("speaks of each hand where they end differently, and once where they do not", () => {
    const hands = {
      hands: [
        ["8d", "Kc"],
        ["8h", "2c", "Jd"],
      ],
      holds: [{ hard: 18 }, { hard: 20 }],
    };
    const dealt = view({ dealer: ["9s", "Th"], dealer_holds: { hard: 19 } });
    const results = [result("-10", { why: "lower" }), result("+10", { hand: 2, circle: "split", why: "higher" })];
    expect(verdicts(dealt, seat({ ...hands, results }))).toEqual([
      "Hand 1: Dealer 19 beats your 18",
      "Hand 2: Your 20 beats dealer’s 19",
    ]);
    const both = [
      result("+10", { why: "dealer-bust" }),
      result("+10", { hand: 2, circle: "split", why: "dealer-bust" }),
    ];
    expect(verdicts({ ...dealt, dealer_holds: { hard: 24 } }, seat({ ...hands, results: both }))).toEqual([
      "Dealer busts with 24",
    ]);
    expect(verdicts(dealt, seat(hands))).toEqual([]);
    const three = {
      hands: [
        ["8d", "Kc"],
        ["8h", "2c", "Jd"],
        ["8s", "Tc"],
      ],
      holds: [{ hard: 18 }, { hard: 20 }, { hard: 18 }],
    };
    const each = [...results, result("-10", { hand: 3, circle: "split", why: "lower" })];
    expect(verdicts(dealt, seat({ ...three, results: each }))).toEqual(["3 hands: 1 won, 2 lost"]);
  });
});

it("knows a great moment, and that a loss is none", () => {
  const at = (results: ReturnType<typeof result>[], holds = "20") =>
    isGreat(view({ seats: [seat({ name: "ann", hands: [["Ad"]], holds: [made(holds)], results })] }));
  expect(at([result("+15", { why: "natural" })])).toBe(true);
  expect(at([result("+10", { why: "pay-table" })], "royal-flush")).toBe(true);
  expect(at([result("+500", { circle: "progressive", why: "pay-table" })])).toBe(true);
  expect(at([result("+10", { why: "higher" })])).toBe(false);
  expect(at([result("-5", { circle: "progressive", why: "pay-table" })])).toBe(false);
  expect(at([])).toBe(false);
});
