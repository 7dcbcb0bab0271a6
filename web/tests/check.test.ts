import { describe, expect, it } from "vitest";
import { check, inThreeLines } from "../src/proof/check";
import type { ShoeRecordView } from "../src/wire";

// The example of docs/fair-order.md, of which the burn card and four more were dealt.
const SHOE: ShoeRecordView = {
  table: "war-1",
  game: "casino-war",
  shoe: 1,
  seal: "29ced24121b1a30181258288d3cad3ee5fb4a928e260cf51704b937cb91143a9",
  house: "h1",
  contributions: [
    {
      at: "1",
      name: "ann",
      commitment: "e3411e516c705ce0fdbbf33c4ddc2a37bdb5cb82b508f764f073d313be273d10",
      bytes: "01".repeat(32),
    },
    {
      at: "2",
      name: "bob",
      commitment: "fcfb62999834c0dc649e59522199a9c4b5159fc96aedd7e974a08aa85ecca57e",
      bytes: "ab".repeat(32),
    },
  ],
  cuts: [{ by: "1", at: 4 }],
  cut_least: 2,
  cut_most: 7,
  recut_by: null,
  unplayed: null,
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
      "Mix",
      "Seal",
      "Decks",
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
    expect(wrong({ cuts: [{ by: "1", at: 5 }] })).toEqual(["Cards"]);
    expect(wrong({ contributions: SHOE.contributions.slice(1) })).toEqual(["Cards"]);
    // They are sorted, so that their sequence does not matter.
    expect(wrong({ contributions: [...SHOE.contributions].reverse() })).toEqual([]);
    // Bytes that do not fit the commitment, and another order that follows from them.
    const [one, other] = SHOE.contributions;
    if (!one || !other) throw new Error();
    expect(wrong({ contributions: [one, { ...other, bytes: "ac".repeat(32) }] })).toEqual(["Mix", "Cards"]);
    expect(wrong({ contributions: [one, { ...other, bytes: null }] })).toEqual(["Cards"]);
  });

  it("is cut as it was named, or as it was drawn", () => {
    // Draw 0 of the example is 2.
    expect(wrong({ cuts: [{ by: null, at: 4 }] })).toEqual(["Cut"]);
    const words = (change: Partial<ShoeRecordView>) =>
      check({ ...SHOE, ...change }, NOTHING).findings.find(({ what }) => what === "Cut");
    expect(words({ cuts: [{ by: null, at: 2 }] })).toMatchObject({ isRight: true });
    expect(words({ cuts: [{ by: null, at: 4 }] })?.words).toBe("4 cards were cut, but the key of the order gives 2.");
  });

  it("says in one line what a missing opening, no contribution or an early end means", () => {
    const [one, other] = SHOE.contributions;
    if (!one || !other) throw new Error();
    const said = (change: Partial<ShoeRecordView>, of: string) =>
      check({ ...SHOE, ...change }, NOTHING).findings.find(({ what }) => what === of);
    expect(said({ contributions: [one, { ...other, bytes: null }] }, "Mix")?.words).toBe(
      "2 people committed, and bob did not open: someone who controls what arrives could choose among at most 4 orders.",
    );
    expect(said({ contributions: [] }, "Mix")?.words).toBe(
      "Nobody contributed, so the order is the one the house sealed.",
    );
    expect(said({ recut_by: "eve" }, "Mix")?.words).toBe(
      "2 people committed and opened, so the order was fixed before anybody knew it. " +
        "eve: cut again by order: someone could choose between two orders.",
    );
    expect(said({ unplayed: "ordered by eve" }, "Unplayed")?.words).toBe(
      "ordered by eve: mixed, but retired before a round was dealt.",
    );
  });

  it("is told in three lines: what was committed to, by whom, and what was checked", () => {
    expect(inThreeLines(SHOE, check(SHOE, NOTHING))).toEqual([
      "The house sealed the order of 9 cards before anyone bet: 29ced24121b1…",
      "Each committed to their own bytes: ann, bob.",
      "Your browser checked mix, seal, decks, cards: all 4 cards that were seen match.",
    ]);
    const tampered = { ...SHOE, salt: "08".repeat(32) };
    expect(inThreeLines(tampered, check(tampered, NOTHING))[2]).toBe(
      "Your browser checked it, and one thing is wrong.",
    );
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
    expect(findings.map(({ isRight }) => isRight)).toEqual([true, null]);
    expect(places).toEqual([]);
  });
});
