import { describe, expect, it } from "vitest";
import { moment, take } from "../src/steps";
import type { FromHouse, View } from "../src/wire";
import { offer, seat, view } from "./view";

const heard = (version: number, shown: View = view()) => ({ version, view: shown });
const event = (version: number, shown: View | null) =>
  ({ type: "event", version, events: [], sentences: [], view: shown }) satisfies FromHouse;

describe("steps", () => {
  it("begin with a state", () => {
    const first = take(null, { type: "state", version: 7, view: view() });
    expect(first).toEqual({ is: "taken", heard: heard(7) });
    expect(take(null, event(1, view()))).toEqual({ is: "gap" });
  });

  it("are taken in order, once, and without a gap", () => {
    const next = view({ round: 2 });
    expect(take(heard(7), event(8, next))).toEqual({ is: "taken", heard: heard(8, next) });
    expect(take(heard(7), event(7, next))).toEqual({ is: "known" });
    expect(take(heard(7), event(3, next))).toEqual({ is: "known" });
    expect(take(heard(7), event(9, next))).toEqual({ is: "gap" });
  });

  it("keep the last view while the house leaves it out", () => {
    const before = heard(7, view({ round: 4 }));
    expect(take(before, event(8, null))).toEqual({ is: "taken", heard: heard(8, before.view) });
  });

  it("are replaced by a state of any version, as after a restart", () => {
    const state: FromHouse = { type: "state", version: 2, view: view({ round: 9 }) };
    expect(take(heard(7), state)).toEqual({ is: "taken", heard: heard(2, view({ round: 9 })) });
  });
});

describe("a moment", () => {
  const asked = (hands: string[][], playing: number | null = null) =>
    view({
      betting: false,
      awaited: { what: "act", seats: [1], within_ms: 9000, of_ms: 30000 },
      seats: [seat({ name: "ann", rack: "90", hands, playing })],
      offers: [offer({ call: "war", stake: "10" })],
    });

  it("lasts while bets are open, whoever places one", () => {
    const other = view({ prompt: "Bets are open." });
    expect(moment(view())).toBe(moment(other));
  });

  it("is another one in the next round, and for another hand", () => {
    expect(moment(view())).not.toBe(moment(view({ round: 2 })));
    expect(moment(asked([["9d"]]))).not.toBe(moment(asked([["9d", "2c"]])));
    // The second of two hands that look the same.
    expect(moment(asked([["8c"], ["8c"]], 1))).not.toBe(moment(asked([["8c"], ["8c"]], 2)));
  });

  it("does not hang on the clock", () => {
    const later = asked([["9d"]]);
    const ticked = { ...later, awaited: { ...later.awaited, within_ms: 10 } };
    expect(moment(later)).toBe(moment(ticked));
  });
});
