import { describe, expect, it } from "vitest";
import { add, doubled, EMPTY, isSame, isWithinLimits, read, total, write } from "../src/slip";
import type { CircleView } from "../src/wire";

const limits = (least: string, most: string, step: string, required: boolean) => ({
  least,
  most,
  step,
  required,
});

const CIRCLES: CircleView[] = [
  { circle: "main", title: "Initial", opening: limits("5", "500", "0.01", true) },
  { circle: "tie", title: "Tie", opening: limits("1", "100", "0.01", false) },
  { circle: "progressive", title: "Progressive", opening: limits("5", "100", "5", false) },
  { circle: "war", title: "War", opening: null },
];

const slip = (amounts: Record<string, number>) => new Map(Object.entries(amounts));

describe("a slip", () => {
  it("is read and written as the wire has it", () => {
    const placed = read([
      { circle: "main", amount: "7.50" },
      { circle: "tie", amount: "5" },
    ]);
    expect(total(placed)).toBe(12_50);
    expect(write(placed)).toEqual([
      { circle: "main", amount: "7.50" },
      { circle: "tie", amount: "5" },
    ]);
  });

  it("grows and shrinks by chips, and never below nothing", () => {
    const ten = add(add(EMPTY, "main", 5_00), "main", 5_00);
    expect(ten.get("main")).toBe(10_00);
    expect(add(ten, "main", -25_00).has("main")).toBe(false);
    expect(ten.get("main")).toBe(10_00);
    expect(EMPTY.size).toBe(0);
  });

  it("is doubled on every circle", () => {
    expect(isSame(doubled(slip({ main: 5_00, tie: 1_00 })), slip({ main: 10_00, tie: 2_00 }))).toBe(true);
  });

  it("is the same only with the same chips on the same circles", () => {
    expect(isSame(slip({ main: 5_00 }), slip({ tie: 5_00 }))).toBe(false);
    expect(isSame(slip({ main: 5_00 }), slip({ main: 5_00, tie: 1_00 }))).toBe(false);
    expect(isSame(EMPTY, slip({}))).toBe(true);
  });

  it.each([
    [{ main: 5_00 }, true],
    [{ main: 500_00, tie: 100_00, progressive: 100_00 }, true],
    [{ main: 4_99 }, false],
    [{ main: 500_01 }, false],
    [{ tie: 5_00 }, false],
    [{ main: 5_00, progressive: 6_00 }, false],
    [{ main: 5_00, war: 5_00 }, false],
    [{}, false],
  ])("%j is within the limits: %s", (amounts, is) => {
    expect(isWithinLimits(slip(amounts as Record<string, number>), CIRCLES)).toBe(is);
  });
});
