import { expect, it } from "vitest";
import { guide } from "../src/intro";
import { offer } from "./view";

it("says what each call means and costs, in the order in which they stand", () => {
  const amounts = { least: "5", most: "50", step: "5", required: true };
  expect(guide([offer({ call: "pass", words: "Pass" }), offer({ call: "attack", words: "Attack", amounts })])).toBe(
    "Attack: up to 50 more before your cards come. Pass: bet nothing more.",
  );
  expect(
    guide([
      offer({ call: "surrender", words: "Surrender", loses: "12.50" }),
      offer({ call: "split", words: "Split", free: true }),
      offer({ call: "double", words: "Double", stake: "25" }),
      offer({ call: "hit", words: "Hit" }),
    ]),
  ).toBe(
    "Hit: one more card; over 21 you lose. Double: 25 more for just one card. " +
      "Split: the house puts up the second bet. Surrender: lose 12.50 and stop here.",
  );
  // Without cards to be drawn a double is for the hand as it will be.
  expect(guide([offer({ call: "double", words: "Double", stake: "10" })])).toBe("Double: 10 more on this hand.");
});
