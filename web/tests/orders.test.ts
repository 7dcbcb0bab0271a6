import { expect, it } from "vitest";
import { OrderTally } from "../src/proof/orders";

const SEAL = "00".repeat(32);

const shares = (log: string) => {
  const tally = new OrderTally();
  for (const line of log.trim().split("\n")) tally.take(line.trim());
  return tally.shares;
};

it("counts shoes by what they prove, and names who did not open", () => {
  const log = `
    > sat 1 ann
    > sat 3 bob
    > shuffled 1 52 ${SEAL}
    < +350 commit house h1 1 aa 3 bb
    > committed 2
    < open 1 aa 3 bb
    > mixed 2
    > bets-closed
    > settled
    > retired 1 40
    > shuffled 2 52 ${SEAL}
    < commit cut 1 20 house h1 1 aa 3 bb
    < open 1 aa
    > mixed 1 missing 3
    > bets-closed
    > retired 2 40
    > shuffled 3 52 ${SEAL}
    < commit
    > mixed 0
    < +12@1763297000123 order reshuffle by eve because of a torn card
    > retired 3 52
    > shuffled 4 52 physical
    > bets-closed
    > retired 4 40
  `;
  expect(shares(log)).toEqual([
    { words: "1 of 4 shoes: every commitment was opened, so the order was fixed before anybody knew it.", details: [] },
    {
      words:
        "1 of 4 shoes: openings are missing, so someone who controls what arrives could choose among at most 2^2 orders.",
      details: ["bob: 1 of 2 not opened", "shoe 2: not opened by bob"],
    },
    { words: "1 of 4 shoes: nobody contributed, so the order is the one the house sealed.", details: [] },
    { words: "1 of 4 shoes: mixed, but retired before a round was dealt.", details: ["shoe 3: ordered by eve"] },
    { words: "1 of 4 shoes: physical, so nobody committed to an order and nothing proves it.", details: [] },
  ]);
});

it("names who had a sealed order cut again", () => {
  const log = `
    > sat 1 ann
    > shuffled 1 52 ${SEAL}
    < commit house h1 1 aa
    > committed 1
    < open 1 aa
    > mixed 1
    < +8 order recut by eve because it was shallow
    < cut dealer 30
    > bets-closed
    < +9 order discard by eve showing 9d
    > retired 1 40
    > shuffled 2 52 physical
    < order recut by max
  `;
  expect(shares(log).slice(1)).toEqual([
    {
      words: "1 of 2 shoes: cut again by order: someone could choose between two orders.",
      details: ["shoe 1: eve"],
    },
    { words: "1 of 2 shoes: physical, so nobody committed to an order and nothing proves it.", details: [] },
  ]);
});

it("lists a shoe that is retired while openings arrive, before it is mixed", () => {
  const log = `
    > sat 1 ann
    > shuffled 1 52 ${SEAL}
    < commit house h1 1 aa
    > committed 1
    < +5 idle
    > retired 1 52
  `;
  expect(shares(log).map(({ details }) => details)).toEqual([["shoe 1: idle"]]);
});

it("says nothing of a log without shoes", () => {
  expect(shares("# version 3 game casino-war\n< sit 1 ann\n> sat 1 ann")).toEqual([]);
});
