import { expect, it } from "vitest";
import { firstChip, stack, top } from "../src/chips";

const values = (amount: number) => stack(amount).map(({ value }) => value / 100);

it("stacks as few chips as can be, the largest at the bottom", () => {
  expect(values(631_00)).toEqual([500, 100, 25, 5, 1]);
  expect(values(40_00)).toEqual([25, 5, 5, 5]);
  expect(values(7_50)).toEqual([5, 1, 1]);
  expect(values(0)).toEqual([]);
});

it("has a chip in hand at first that is a wager by itself, where there is one", () => {
  const first = (least: string, most: string) => firstChip({ least, most, step: "1", required: true }) / 100;
  expect(first("5", "500")).toBe(5);
  expect(first("1", "100")).toBe(5);
  expect(first("1", "2")).toBe(1);
  expect(first("10", "500")).toBe(25);
  expect(first("100", "5000")).toBe(100);
  expect(first("1000", "5000")).toBe(500);
  expect(firstChip(null) / 100).toBe(5);
});

it("takes the top chip back first, and what is less than a chip at once", () => {
  expect(top(30_00)).toBe(5_00);
  expect(top(25_00)).toBe(25_00);
  expect(top(50)).toBe(50);
});
