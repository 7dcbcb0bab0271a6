import { describe, expect, it } from "vitest";
import { brief, lay, payTable } from "../src/layout";
import type { AboutTable, CircleView, WagerView } from "../src/wire";
import { result as of } from "./view";

const circle = (name: string, takesBets = false): CircleView => ({
  circle: name,
  title: name,
  opening: takesBets ? { least: "5", most: "500", step: "1", required: name === "main" } : null,
});

const table = (game: string, ...circles: CircleView[]): AboutTable => ({
  table: "one",
  house: "h1",
  game,
  title: game,
  terms: [],
  options: "",
  circles,
  pays: [],
  signs: [],
  buy_in: { least: "1", most: "100", step: "1", required: true },
  decks: { cards: [], times: 1 },
  coach: "off",
});

const FREE_BET = table(
  "free-bet",
  circle("main", true),
  circle("push22", true),
  circle("double"),
  circle("insurance"),
  circle("split"),
);

const EMPTY = { hands: [], wagers: [], results: [], lifted: [], sideways: [], surrendered: [] };

const wager = (hand: number, name: string, amount: string, free = false): WagerView => ({
  hand,
  circle: name,
  amount,
  free,
});

const result = (hand: number, name: string, won: string) => of(won, { hand, circle: name });

describe("a box", () => {
  it("shows the circles that take bets, those in use and those that are printed", () => {
    const names = (about: AboutTable, ...wagers: WagerView[]) =>
      lay(about, { ...EMPTY, wagers }, true).spots.map((spot) => spot.circle);
    expect(names(FREE_BET)).toEqual(["main", "push22"]);
    expect(names(FREE_BET, wager(1, "insurance", "5"))).toEqual(["main", "push22", "insurance"]);
    const attack = table("double-attack", circle("main", true), circle("attack"), circle("insurance"));
    expect(names(attack)).toEqual(["main", "attack"]);
  });

  it("has everything on its circles while it has one hand", () => {
    const wagers = [wager(1, "main", "10"), wager(1, "double", "10", true)];
    const { hands, spots } = lay(FREE_BET, { ...EMPTY, hands: [["5c", "6d"]], wagers }, false);
    expect(hands[0]?.spots).toEqual([]);
    expect(spots.map(({ circle: name, chips, free }) => [name, chips, free])).toEqual([
      ["main", 10_00, 0],
      ["push22", 0, 0],
      ["double", 0, 10_00],
    ]);
  });

  it("has with each of several hands what lies on it, chips and lammers apart", () => {
    const wagers = [
      wager(1, "main", "10"),
      wager(1, "push22", "5"),
      wager(2, "split", "10", true),
      wager(2, "double", "7.50"),
    ];
    const box = {
      ...EMPTY,
      hands: [
        ["8c", "9d"],
        ["8d", "3c", "Ts"],
      ],
      wagers,
    };
    const { hands, spots } = lay(FREE_BET, box, false);
    expect(spots.map((spot) => [spot.circle, spot.chips])).toEqual([["push22", 5_00]]);
    expect(hands.map((hand) => hand.spots.map(({ circle: name, chips, free }) => [name, chips, free]))).toEqual([
      [["main", 10_00, 0]],
      [
        ["double", 7_50, 0],
        ["split", 0, 10_00],
      ],
    ]);
  });

  it("lays the last card of a double across its hand, and lifts what only its owner sees", () => {
    const hands = [
      ["8c", "9d"],
      ["8d", "3c", "Ts"],
    ];
    const laid = lay(FREE_BET, { ...EMPTY, hands, sideways: [false, true], lifted: [2, 0] }, false);
    expect(laid.hands.map(({ isDoubled, lifted }) => [isDoubled, lifted])).toEqual([
      [false, 2],
      [true, 0],
    ]);
  });

  it("has what lay before a hand that is given up on its cards, until that is decided", () => {
    const attack = table("double-attack", circle("main", true), circle("attack"), circle("bonus", true));
    const wagers = [wager(1, "main", "10"), wager(1, "attack", "10"), wager(1, "bonus", "5")];
    const box = { ...EMPTY, hands: [["Kc", "6d"]], wagers, surrendered: [true] };
    const { hands, spots } = lay(attack, box, false);
    expect(hands[0]?.isGivenUp).toBe(true);
    expect(hands[0]?.spots.map((spot) => [spot.circle, spot.chips])).toEqual([
      ["main", 10_00],
      ["attack", 10_00],
    ]);
    expect(spots.map((spot) => [spot.circle, spot.chips])).toEqual([
      ["main", 0],
      ["attack", 0],
      ["bonus", 5_00],
    ]);
    const decided = lay(
      attack,
      { ...box, wagers: [], surrendered: [false], results: [result(1, "main", "-5")] },
      false,
    );
    expect(decided.spots[0]?.results.length).toBe(1);
  });

  it("keeps the results with the hands of the last round when bets open again", () => {
    const results = [result(1, "main", "+10"), result(2, "split", "-10"), result(1, "push22", "-5")];
    const box = { ...EMPTY, hands: [["8c"], ["8d"]], results };
    const { hands, spots } = lay(FREE_BET, box, true);
    expect(hands.map((hand) => hand.spots.map((spot) => spot.results[0]?.gain))).toEqual([["+10"], ["-10"]]);
    // The circle for the next wager is empty, and no hand has it.
    expect(spots.map((spot) => [spot.circle, spot.results.length])).toEqual([
      ["main", 0],
      ["push22", 1],
    ]);
    const next = lay(FREE_BET, { ...box, wagers: [wager(1, "main", "25")], results: [] }, true);
    expect(next.spots[0]?.chips).toBe(25_00);
    expect(next.hands.every((hand) => hand.spots.length === 0)).toBe(true);
  });
});

it("tells circles apart in a letter or two", () => {
  const titled = (...titles: string[]) => titles.map((title) => ({ ...circle("main"), title }));
  const told = (...titles: string[]) => titled(...titles).map((one) => brief(one, titled(...titles)));
  expect(told("Initial", "Tie", "Progressive")).toEqual(["I", "T", "P"]);
  expect(told("Bet", "Double attack", "Bonus", "Double")).toEqual(["Be", "DA", "Bo", "D"]);
  expect(told("Tie", "War tie", "War")).toEqual(["T", "WT", "W"]);
});

it("has the pay table of its own circle on the felt, and no other", () => {
  const pay = (name: string) => ({
    circle: name,
    code: name,
    words: name,
    brief: name,
    odds: { pays: 2, to: 1 },
    clause: "",
  });
  const pays = [pay("main"), pay("push22"), pay("bonus")];
  const shown = (game: string) => payTable({ ...table(game), pays }).map((line) => line.circle);
  expect(shown("free-bet")).toEqual(["push22"]);
  expect(shown("double-down-stud")).toEqual(["main"]);
  expect(shown("casino-war")).toEqual([]);
  expect(shown("baccarat")).toEqual([]);
});
