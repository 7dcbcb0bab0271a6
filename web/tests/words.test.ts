import { describe, expect, it } from "vitest";
import type { OpenTable, View } from "../src/wire";
import { awaited, corrected, houseEdge, net, pace, range, seatsTaken } from "../src/words";
import { offer, result, seat, view } from "./view";

const seats = (...names: (string | null)[]): View["seats"] =>
  names.map((name, index) => seat({ seat: index + 1, name, rack: name && "100" }));

const at = (what: View["awaited"]["what"], asked: number[], change: Partial<View> = {}) =>
  awaited(
    view({
      seats: seats("ann", "bob", "cat"),
      awaited: { what, seats: asked, within_ms: null, of_ms: null },
      ...change,
    }),
  );

describe("what the table waits for", () => {
  it("is said from where one sits", () => {
    expect(at("act", [1, 2], { offers: [offer()] })).toBe("It is your decision.");
    expect(at("act", [2])).toBe("Waiting for bob.");
    expect(at("act", [2, 3])).toBe("Waiting for bob and cat.");
    expect(at("act", [1, 2], { me: null, mine: [] })).toBe("Waiting for ann and bob.");
    const away = seats("ann", "bob", "cat").map((one) => ({ ...one, away: one.name === "bob" }));
    expect(at("act", [2, 3], { seats: away })).toBe("Waiting for bob (away) and cat.");
    expect(at("cut", [1])).toBe("Will you cut the cards?");
    expect(at("cut", [3])).toBe("cat may cut the cards.");
    expect(at("inspection", [1])).toBe("Please inspect the cards.");
    expect(at("inspection", [2])).toBe("bob may inspect the cards.");
    expect(at("player", [])).toBe("Nobody is at the table yet.");
    expect(at("shuffle", [])).toBe("The cards are being shuffled.");
  });

  it("names who is late, to who is ready", () => {
    const [ann, bob, cat] = seats("ann", "bob", "cat") as [View["seats"][0], View["seats"][0], View["seats"][0]];
    const ready = { ...ann, ready: true };
    expect(at("wagers", [], { seats: [ann, bob, cat] })).toBe("Bets are open.");
    expect(at("wagers", [], { seats: [ready, bob, cat] })).toBe("Waiting for bob and cat.");
    expect(at("wagers", [], { seats: [ready, bob, { ...cat, rack: "0" }] })).toBe("Waiting for bob.");
    // Who is away, or bets after the shuffle, holds up nobody.
    expect(at("wagers", [], { seats: [ready, bob, { ...cat, away: true }] })).toBe("Waiting for bob.");
    expect(at("wagers", [], { seats: [ready, bob, { ...cat, waits: true }] })).toBe("Waiting for bob.");
  });
});

it("writes limits as a sign at the table does", () => {
  const limits = (least: string, most: string, step: string) => range({ least, most, step, required: false });
  expect(limits("5", "5000", "1")).toBe("5 to 5,000");
  expect(limits("5", "500", "5")).toBe("5 to 500 by 5");
  expect(limits("5", "5", "5")).toBe("5");
});

it("adds up what a seat won and lost", () => {
  expect(net(seat({ results: [result("+50"), result("-12.50"), result("0")] }))).toBe(37_50);
});

it("says what was corrected, by whom and why", () => {
  const line = { seq: 9, amount: "5", from: "house", to: "player:ann", by: "eve", because: "it was 20" };
  expect(corrected(line)).toBe("Corrected by eve: 5 from house to player:ann, because it was 20.");
});

it("says how full a table is", () => {
  expect(seatsTaken(2, 3)).toBe("2 of 3 seats taken");
  expect(seatsTaken(2, 2)).toBe("every seat is taken");
  expect(seatsTaken(0, 7)).toBe("7 seats, all open");
});

describe("what invites to a table", () => {
  it("is the house edge once it is known, and whose it is", () => {
    expect(houseEdge(null)).toBe("");
    expect(houseEdge(23_301)).toBe("House edge 2.33% with best play");
    expect(houseEdge(-1_200)).toBe("No house edge: you win 0.12% with best play");
  });

  it("is its pace, as far as it has been seen", () => {
    const table = { betting_seconds: 15, round_seconds: null } as OpenTable;
    expect(pace(table)).toBe("15 s to bet");
    expect(pace({ ...table, round_seconds: 12 })).toBe("15 s to bet, rounds of about 12 s");
  });
});
