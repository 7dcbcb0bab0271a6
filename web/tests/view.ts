import type { View } from "../src/wire";

/** A table of two seats, of which we have the first, with bets open. */
export function view(change: Partial<View> = {}): View {
  const empty = { rack: null, ready: false, wagers: [], hands: [], holds: [], playing: null, results: [], behind: [] };
  return {
    table: "war-1",
    round: 1,
    betting: true,
    seats: [
      { ...empty, seat: 1, name: "ann", rack: "100" },
      { ...empty, seat: 2, name: null },
    ],
    dealer: [],
    dealer_holds: null,
    burned: 0,
    shoe: null,
    awaited: { what: "wagers", seats: [1], within_ms: null, of_ms: null },
    me: 1,
    mine: ["1"],
    cut: null,
    offers: [],
    why_not: [],
    choices: [],
    outcomes: [],
    meter: null,
    said: "",
    ...change,
  };
}
