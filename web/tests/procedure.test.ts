import { expect, it } from "vitest";
import { procedure } from "../src/procedure";
import type { View } from "../src/wire";
import { view } from "./view";

const asked = (what: View["awaited"]["what"], seats: number[], choices: View["choices"] = []) =>
  procedure(view({ awaited: { what, seats, within_ms: null, of_ms: null }, choices }));

it("asks whoever is to look at the cards, and nobody else", () => {
  expect(asked("inspection", [1]).map(({ command }) => command)).toEqual([{ type: "inspect" }]);
  expect(asked("inspection", [2])).toEqual([]);
  expect(asked("wagers", [1])).toEqual([]);
});

it("offers the choices of the house, in its order", () => {
  const steps = asked(
    "choice",
    [1],
    [
      { choice: "take", words: "Take" },
      { choice: "late-card", words: "Late card" },
    ],
  );
  expect(steps.map(({ words }) => words)).toEqual(["Take", "Late card"]);
  expect(steps[1]?.command).toEqual({ type: "choose", choice: "late-card" });
});
