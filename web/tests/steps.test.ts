import { describe, expect, it } from "vitest";
import { moment, take } from "../src/steps";
import type { FromHouse, View, ViewChange } from "../src/wire";
import { offer, seat, view } from "./view";

const heard = (version: number, shown: View = view(), number = 1) => ({ version, number, view: shown });
const event = (version: number, change: ViewChange | null, number = 2) =>
  ({ type: "event", version, events: [], story: [], number, change }) satisfies FromHouse;

describe("steps", () => {
  it("begin with a state", () => {
    const first = take(null, { type: "state", version: 7, number: 1, view: view() });
    expect(first).toEqual({ is: "taken", heard: heard(7) });
    expect(take(null, event(1, view()))).toEqual({ is: "gap" });
  });

  it("are taken in order, once, and without a gap", () => {
    const next = view({ round: 2 });
    expect(take(heard(7), event(8, next))).toEqual({ is: "taken", heard: heard(8, next, 2) });
    expect(take(heard(7), event(7, next))).toEqual({ is: "known" });
    expect(take(heard(7), event(3, next))).toEqual({ is: "known" });
    expect(take(heard(7), event(9, next))).toEqual({ is: "gap" });
  });

  it("have only what changed, also at a seat", () => {
    const before = heard(7, view({ round: 4, meter: "10000" }));
    const change = { meter: null, seats: [{ seat: 2, name: "bob", rack: "50" }] };
    const [first, second] = before.view.seats;
    const seats = [first, { ...second, name: "bob", rack: "50" }];
    const taken = { is: "taken", heard: { version: 8, number: 2, view: { ...before.view, meter: null, seats } } };
    expect(take(before, event(8, change))).toEqual(taken);
    const alone = { type: "change", version: 7, number: 2, change } satisfies FromHouse;
    expect(take(before, alone)).toEqual({ ...taken, heard: { ...taken.heard, version: 7 } });
  });

  it("are asked for again where a change of the view is missing", () => {
    expect(take(heard(7), event(8, { round: 2 }, 3))).toEqual({ is: "gap" });
    expect(take(heard(7), { type: "change", version: 7, number: 3, change: {} })).toEqual({ is: "gap" });
  });

  it("keep the last view while the house leaves it out", () => {
    const before = heard(7, view({ round: 4 }));
    expect(take(before, event(8, null))).toEqual({ is: "taken", heard: heard(8, before.view) });
  });

  it("are replaced by a state of any version, as after a restart", () => {
    const state: FromHouse = { type: "state", version: 2, number: 1, view: view({ round: 9 }) };
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
