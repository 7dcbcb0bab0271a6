import { describe, expect, it } from "vitest";
import { check } from "../src/proof/check";
import type { ShoeRecordView } from "../src/wire";

// The example of docs/fair-order.md, of which the burn card and four more were dealt.
const SHOE: ShoeRecordView = {
  table: "war-1",
  game: "casino-war",
  shoe: 1,
  seal: "29ced24121b1a30181258288d3cad3ee5fb4a928e260cf51704b937cb91143a9",
  contributions: [
    { at: "1", bytes: "01".repeat(32) },
    { at: "2", bytes: "ab".repeat(32) },
  ],
  cuts: [4],
  salt: "07".repeat(32),
  order: ["9d", "4c", "As", "Th", "2c", "7s", "Kd", "Qc", "5h"],
  dealt: ["??", "As", "7s", "9d", "Qc"],
  at: 0,
  size: 9,
  decks: { cards: ["9d", "4c", "As", "Th", "2c", "7s", "Kd", "Qc", "5h"], times: 1 },
  rounds: { first: 1, last: 1 },
  first_entry: 1,
  last_entry: 20,
};

const NOTHING = { seal: null, bytes: null };

const wrong = (change: Partial<ShoeRecordView>, remembered = NOTHING) =>
  check({ ...SHOE, ...change }, remembered)
    .findings.filter(({ isRight }) => isRight === false)
    .map(({ what }) => what);

describe("a shoe", () => {
  it("is right where seal, mix, cut and cards fit", () => {
    const { findings, places } = check(SHOE, { seal: SHOE.seal, bytes: "ab".repeat(32) });
    expect(findings.filter(({ isRight }) => isRight === false)).toEqual([]);
    expect(findings.map(({ what }) => what)).toEqual([
      "Commitment",
      "Your part",
      "Seal",
      "Decks",
      "Mix",
      "Cut",
      "Cards",
    ]);
    expect(places.map(({ card }) => card).join("")).toBe("ThAs7s9dQcKd5h4c2c");
    expect(places.filter(({ dealt }) => dealt !== null).length).toBe(5);
  });

  it("is exposed by whatever was changed", () => {
    expect(wrong({ salt: "08".repeat(32) })).toEqual(["Seal"]);
    // Two cards of the order have changed places: neither the seal nor the deal fits.
    expect(wrong({ order: ["4c", "9d", ...(SHOE.order ?? []).slice(2)] })).toEqual(["Seal", "Cards"]);
    expect(wrong({ dealt: ["??", "As", "7s", "9h"] })).toEqual(["Cards"]);
    expect(wrong({ dealt: [...SHOE.dealt, ...SHOE.dealt] })).toContain("Cards");
    expect(wrong({ cuts: [5] })).toEqual(["Cards"]);
    expect(wrong({ contributions: SHOE.contributions.slice(1) })).toEqual(["Cards"]);
  });

  it("is exposed by other cards than the rules have, however well they are sealed", () => {
    const decks = (cards: string, times = 1) => ({ cards: cards.split(" "), times });
    const order = SHOE.order ?? [];
    const missing = order.map((card) => (card === "As" ? "5h" : card));
    const said = (change: Partial<ShoeRecordView>) =>
      check({ ...SHOE, ...change }, NOTHING).findings.find(({ what }) => what === "Decks");
    expect(said({ order: missing })).toMatchObject({ isRight: false, words: expect.stringContaining("As") });
    expect(said({ decks: decks("9d 4c As Th 2c 7s Kd Qc") })).toMatchObject({ isRight: false });
    expect(said({ decks: decks(order.join(" "), 2) })).toMatchObject({ isRight: false });
    expect(said({ order: order.slice(1) })).toMatchObject({ isRight: false });
    expect(said({ size: 10 })).toMatchObject({ isRight: false });
    // Of the discards of a round that ran out of cards, only the log knows which they were.
    expect(said({ decks: null })).toMatchObject({ isRight: null });
    expect(said({ decks: null, size: 10 })).toMatchObject({ isRight: false });
  });

  it("is held to what this browser was shown and added", () => {
    expect(wrong({}, { ...NOTHING, seal: "00".repeat(32) } as never)).toEqual(["Commitment"]);
    expect(wrong({}, { ...NOTHING, bytes: "cd".repeat(32) } as never)).toEqual(["Your part"]);
  });

  it("of a physical table has nothing to check", () => {
    const { findings } = check({ ...SHOE, seal: "", salt: null, order: null }, NOTHING);
    expect(findings.map(({ isRight }) => isRight)).toEqual([null]);
  });

  it("that is still in use cannot be told", () => {
    const { findings, places } = check({ ...SHOE, salt: null, order: null }, NOTHING);
    expect(findings.map(({ isRight }) => isRight)).toEqual([null]);
    expect(places).toEqual([]);
  });
});
