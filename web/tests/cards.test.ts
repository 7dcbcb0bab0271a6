import { expect, it } from "vitest";
import { called, face } from "../src/cards";

it("calls every card of a deck by a name of its own", () => {
  const deck = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));
  expect(new Set(deck.map(called)).size).toBe(52);
  expect([called("9d"), called("Ts"), called("Ah")]).toEqual(["nine of diamonds", "ten of spades", "ace of hearts"]);
  expect(face("Ts")?.index).toBe("10");
});

it("gives no face to what lies face down or is no card", () => {
  for (const text of ["??", "", "9", "1d", "9x", "9dd"]) {
    expect(face(text)).toBeNull();
    expect(called(text)).toBe("a card face down");
  }
});
