import { expect, it } from "vitest";
import { chosen, plainly } from "../src/terms";
import type { AboutTable } from "../src/wire";

const about = (terms: Record<string, string>, signs: string[] = []) =>
  ({
    terms: Object.entries(terms).map(([key, value]) => ({ key, value, meaning: "" })),
    signs: signs.map((words) => ({ code: words, words, clause: "" })),
  }) as unknown as AboutTable;

it("says in plain words what differs from table to table, and leaves out what goes without saying", () => {
  expect(plainly(about({ decks: "8", max_boxes_per_player: "1", max_bettors_per_box: "3" }))).toEqual([
    "8 decks",
    "up to 3 people on a box",
  ]);
  expect(plainly(about({ payout_limit: "100000", void_scope: "whole_round" }))).toEqual([
    "a hand wins at most 100,000",
  ]);
  expect(plainly(about({}, ["No mid-shoe entry"]))).toEqual(["no mid-shoe entry"]);
});

it("writes what was chosen as people do", () => {
  expect(["on", "off", "up_to", "5000", "A"].map((value) => chosen({ key: "", value }))).toEqual([
    "yes",
    "no",
    "up to",
    "5,000",
    "A",
  ]);
  expect(chosen({ key: "action_timeout_s", value: "30" })).toBe("30 s");
});
