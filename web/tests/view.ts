import type { Offer, Refusal, ResultView, SeatView, View } from "../src/wire";

/** An empty seat, but for what is said of it. */
export function seat(change: Partial<SeatView> = {}): SeatView {
  return {
    seat: 1,
    name: null,
    rack: null,
    bot: false,
    ready: false,
    away: false,
    waits: false,
    wagers: [],
    hands: [],
    holds: [],
    lifted: [],
    sideways: [],
    surrendered: [],
    playing: null,
    results: [],
    behind: [],
    asking: [],
    ...change,
  };
}

/** A call that is open to us, but for what is said of it. */
export function offer(change: Partial<Offer> = {}): Offer {
  return {
    at: "1",
    call: "hit",
    words: "Hit",
    stake: null,
    free: false,
    amounts: null,
    loses: null,
    circle: null,
    hand: null,
    ...change,
  };
}

/** What became of a main wager. */
export function result(gain: string, change: Partial<ResultView> = {}): ResultView {
  return { hand: 1, circle: "main", stake: "10", gain, end: "push", odds: null, why: "", clause: "", ...change };
}

/** A table of two seats, of which we have the first, with bets open. */
export function view(change: Partial<View> = {}): View {
  return {
    table: "war-1",
    round: 1,
    betting: true,
    seats: [seat({ name: "ann", rack: "100" }), seat({ seat: 2 })],
    dealer: [],
    dealer_holds: null,
    burned: 0,
    shoe: null,
    pile: null,
    mix: null,
    awaited: { what: "wagers", seats: [1], within_ms: null, of_ms: null },
    me: 1,
    mine: ["1"],
    cut: null,
    offers: [],
    choices: [],
    outcomes: [],
    spread: null,
    barred: null,
    shuffle_in: null,
    frozen: null,
    company: null,
    meter: null,
    prompt: "",
    procedure: [],
    trouble: null,
    ...change,
  };
}

/** A refusal that rests on a clause. */
export function refusal(code: string, id: string, sentence: string): Refusal {
  return { code, parameters: {}, source: { type: "clause", id }, sentence };
}
