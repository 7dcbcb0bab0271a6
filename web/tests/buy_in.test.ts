import { expect, it } from "vitest";
import { usualBuyIn } from "../src/buy_in";

const table = (least: string, buy_in = { least: "1", most: "100000", step: "1", required: true }) => ({
  circles: [{ circle: "main", title: "Bet", opening: { least, most: "500", step: "1", required: true } }],
  buy_in,
});

it("buys chips for twenty of the smallest wagers, as far as account and table allow", () => {
  expect(usualBuyIn(table("5"), 1000_00)).toBe(100_00);
  expect(usualBuyIn(table("25"), 1000_00)).toBe(500_00);
  expect(usualBuyIn(table("5"), 42_50)).toBe(42_00);
  expect(usualBuyIn(table("5", { least: "200", most: "300", step: "25", required: true }), 1000_00)).toBe(200_00);
  expect(usualBuyIn(table("5", { least: "200", most: "300", step: "25", required: true }), 90_00)).toBe(0);
  expect(usualBuyIn(table("5"), 0)).toBe(0);
});
