import { expect, it } from "vitest";
import { irregularity, lastSecond, party } from "../src/office/typed";

it("reads a party to a correction", () => {
  expect(party(" house ")).toBe("house");
  expect(party("rack:3b")).toEqual({ rack: "3b" });
  expect(party("player:ann")).toEqual({ player: "ann" });
});

it("reads what a report says beside its kind", () => {
  const kind = { kind: "misdealt", words: "", clause: "", has_place: true, has_card: true };
  expect(irregularity(kind, "3 9d")).toEqual({ kind: "misdealt", place: { hand: { seat: 3, hand: 1 } }, card: "9d" });
  expect(irregularity(kind, "dealer 9d")).toEqual({ kind: "misdealt", place: "dealer", card: "9d" });
});

it("counts the days of a suspension, or has no end to it", () => {
  expect(lastSecond("  ", 5_000)).toBe(null);
  expect(lastSecond("2", 5_999)).toBe(5 + 2 * 24 * 60 * 60);
});
