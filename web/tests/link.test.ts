import { describe, expect, it } from "vitest";
import { readLink, writeLink } from "../src/study/link";
import { withOptions } from "../src/terms";

describe("the link of an explored table", () => {
  it("is empty for a full shoe with default options", () => {
    expect(writeLink({ set: new Map(), gone: new Map([["As", 0]]) })).toBe("");
    expect(readLink("")).toEqual({ set: new Map(), gone: new Map() });
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
    };
    expect(readLink(writeLink(table))).toEqual(table);
    expect(new URLSearchParams(writeLink(table)).get("gone")).toBe("As Td*3");
    expect(new URLSearchParams(writeLink(table)).get("set")).toBe("decks=8 split_aces=full_play");
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
