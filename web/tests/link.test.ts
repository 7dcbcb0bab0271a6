import { describe, expect, it } from "vitest";
import { readLink, wagerName, writeLink } from "../src/study/link";
import { cellsOf } from "../src/study/titles";
import { withOptions } from "../src/terms";

describe("a cell of a chart", () => {
  const cell = { calls: ["hit"], shown: null };

  it("is named as the trainer and the review name its field", () => {
    const rows = [{ row: "16", often: null, cells: [cell, cell] }];
    const named = cellsOf({ table: "free hard", ups: ["9", "T"], rows });
    expect(named.map((row) => row.map(({ name }) => name))).toEqual([["free hard 16 9", "free hard 16 T"]]);
    expect(named[0]?.[1]?.title).toBe("16 against 10: Hit");
  });

  it("has no open card in its name where the dealer has none", () => {
    const named = cellsOf({ table: "hand", ups: [], rows: [{ row: "two pair", often: 0.1, cells: [cell] }] });
    expect(named.flat().map(({ name }) => name)).toEqual(["hand two pair"]);
  });
});

describe("the link of an explored table", () => {
  it("is empty for a full shoe with default options", () => {
    expect(writeLink({ set: new Map(), gone: new Map([["As", 0]]) })).toBe("");
    expect(readLink("")).toEqual({ set: new Map(), gone: new Map(), wager: "", field: "" });
  });

  it("says the same again when it is read and written", () => {
    const table = {
      set: new Map([
        ["decks", "8"],
        ["split_aces", "full_play"],
      ]),
      gone: new Map([
        ["As", 1],
        ["Td", 3],
      ]),
      wager: "main always war",
      field: "hard 16 T",
    };
    expect(readLink(writeLink(table))).toEqual(table);
    expect(new URLSearchParams(writeLink(table)).get("gone")).toBe("As Td*3");
    expect(new URLSearchParams(writeLink(table)).get("set")).toBe("decks=8 split_aces=full_play");
  });

  it("has the wager and the field that are looked at, and the house is not asked about them", () => {
    const [set, gone] = [new Map([["decks", "8"]]), new Map<string, number>()];
    const link = writeLink({ set, gone, wager: "tie", field: "pairs A 2" });
    expect(link).toBe("?set=decks%3D8&wager=tie&field=pairs+A+2");
    const { wager, field, ...table } = readLink(link);
    expect([wager, field]).toEqual(["tie", "pairs A 2"]);
    expect(writeLink(table)).toBe("?set=decks%3D8");
    expect(writeLink({ ...table, wager: "", field: "" })).toBe("?set=decks%3D8");
  });

  it("tells wagers apart that differ in how they are played alone", () => {
    expect(wagerName({ bet: "tie", policy: "any" })).toBe("tie");
    expect(wagerName({ bet: "main", policy: "always war" })).toBe("main always war");
  });

  it("leaves what makes no sense to the house", () => {
    expect(readLink("?gone=As+As+nonsense&set=decks").gone).toEqual(
      new Map([
        ["As", 2],
        ["nonsense", 1],
      ]),
    );
    expect(readLink("?set=decks").set).toEqual(new Map([["decks", ""]]));
  });

  it("takes a table's house options along", () => {
    expect(withOptions("")).toBe("");
    expect([...readLink(withOptions("decks=8 seats=6")).set]).toEqual([
      ["decks", "8"],
      ["seats", "6"],
    ]);
  });
});
