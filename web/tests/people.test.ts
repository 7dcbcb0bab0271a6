import { describe, expect, it } from "vitest";
import { canSit, canStandBehind } from "../src/people";
import type { AboutTable } from "../src/wire";
import { seat, view } from "./view";

const about = (boxes: number, bettors: number) =>
  ({
    terms: [
      { key: "max_boxes_per_player", value: String(boxes), meaning: "" },
      { key: "max_bettors_per_box", value: String(bettors), meaning: "" },
    ],
  }) as AboutTable;

describe("an empty box", () => {
  const may = (boxes: number, mine: string[], betting = true) => canSit(about(boxes, 3), view({ mine, betting }));

  it("is open to who has none, at any time", () => {
    expect([may(1, []), may(1, [], false)]).toEqual([true, true]);
  });

  it("is open to who has others while bets are open, as far as the house lets them", () => {
    expect([may(1, ["1"]), may(2, ["1"]), may(2, ["1"], false), may(2, ["1", "2"])]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it("is closed to who bets behind somebody else", () => {
    expect(may(2, ["1b"])).toBe(false);
  });
});

describe("the box of somebody else", () => {
  const taken = seat({ name: "bob" });
  const may = (bettors: number, mine: string[], box = taken) => canStandBehind(about(2, bettors), view({ mine }), box);

  it("is open to who has no box, where there is room", () => {
    expect([may(2, []), may(1, []), may(3, ["2"]), may(3, ["2b"])]).toEqual([true, false, false, false]);
    expect(may(3, [], seat())).toBe(false);
  });
});
