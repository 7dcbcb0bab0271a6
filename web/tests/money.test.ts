import { describe, expect, it } from "vitest";
import { cents, dollars, gain, owed, roughly, wire } from "../src/money";

describe("money", () => {
  it.each([
    ["10", 1000],
    ["7.50", 750],
    ["7.5", 750],
    ["0.05", 5],
    ["-5", -500],
    ["+2.50", 250],
    [" 1,000 ", 100_000],
    ["10000000.01", 1_000_000_001],
    ["9999999999999.99", 999_999_999_999_999],
    ["-0", 0],
  ])("reads %s", (text, amount) => expect(cents(text)).toBe(amount));

  it.each(["", "-", "ten", "1.234", "1.", ".5", "1e3", "99999999999999", "0x10", "NaN"])("does not read %j", (text) =>
    expect(cents(text)).toBeNull(),
  );

  it("counts what is missing as nothing", () => {
    expect([owed(null), owed(undefined), owed(""), owed("?"), owed("3")]).toEqual([0, 0, 0, 0, 300]);
  });

  it("writes for the wire what it reads from it", () => {
    for (const amount of [0, 1, 99, 100, 101, 750, -750, 1_000_000_000, 999_999_999_999_999]) {
      expect(cents(wire(amount))).toBe(amount);
    }
    expect([wire(1000), wire(750), wire(5)]).toEqual(["10", "7.50", "0.05"]);
  });

  it("is short where there is no room", () => {
    expect([999_00, 1_500_00, 12_345_50, -1_000_00].map(roughly)).toEqual(["999", "1.5K", "12K", "−1K"]);
    expect(gain(12_500_00, roughly)).toBe("+13K");
  });

  it("writes for the eye", () => {
    expect([0, 5, 750, 1000, 123_456, 100_000_000, -250].map(dollars)).toEqual([
      "0",
      "0.05",
      "7.50",
      "10",
      "1,234.56",
      "1,000,000",
      "−2.50",
    ]);
    expect([gain(500), gain(0), gain(-500)]).toEqual(["+5", "0", "−5"]);
  });
});
