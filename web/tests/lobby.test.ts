import { beforeEach, expect, it } from "vitest";
import type { Socket } from "../src/connection";
import { changed, LobbyFeed, mayCome } from "../src/lobby.svelte";
import type { FromHouse, LobbyTable, OpenTable, Refusal } from "../src/wire";

const QUIET: Omit<LobbyTable, "table" | "taken"> = {
  meter: null,
  watchable: true,
  open: true,
  players: [],
  spectators: 0,
  trouble: null,
  house_edge: null,
  round_seconds: null,
};

const open = (table: string, taken: number): OpenTable => ({ table, taken, seats: 7, ...QUIET }) as OpenTable;

let asked: number;
let sockets: Socket[];
let timers: { wait: number; then: () => void }[];
let isDown: boolean;
let lobby: LobbyFeed;

const hear = (message: FromHouse) => sockets.at(-1)?.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);

beforeEach(async () => {
  [asked, sockets, timers, isDown] = [0, [], [], false];
  lobby = new LobbyFeed({
    tables: async () => {
      asked += 1;
      if (isDown) throw new Error("The house is closed.");
      return [open("war-1", 0), open("stud-1", 2)];
    },
    connect: () => {
      const socket: Socket = { onopen: null, onmessage: null, onclose: null, send() {}, close() {} };
      sockets.push(socket);
      return socket;
    },
    after: (wait, then) => {
      timers.push({ wait, then });
      return () => {};
    },
  });
  await lobby.open();
});

const seats = () => lobby.tables?.map(({ taken }) => taken);

it("asks for the tables once, and then hears what changes", () => {
  expect(seats()).toEqual([0, 2]);
  hear({ type: "hello", protocol: 1 });
  hear({
    type: "lobby",
    tables: [{ ...QUIET, table: "war-1", taken: 3, meter: "10001.50", watchable: false, house_edge: 23_301 }],
    closed: [],
  });
  expect(seats()).toEqual([3, 2]);
  expect(lobby.tables?.[0]).toMatchObject({ meter: "10001.50", watchable: false, house_edge: 23_301, seats: 7 });
  expect([asked, timers.length]).toEqual([1, 0]);
});

it("hears why a table is closed, and lets nobody sit down there", () => {
  const because = (code: string): Refusal => ({ code, parameters: {}, source: { type: "house" }, sentence: code });
  const trouble = because("table-damaged");
  const closed = { ...QUIET, table: "war-1", taken: 0, open: false };
  expect(lobby.tables?.map(mayCome)).toEqual([true, true]);
  hear({ type: "lobby", tables: [{ ...closed, watchable: false, trouble }], closed: [] });
  expect(lobby.tables?.map((open) => open.trouble)).toEqual([trouble, null]);
  expect(lobby.tables?.map(mayCome)).toEqual([false, true]);
  // One that is paused can be watched, and is not for sitting down.
  const paused = because("table-disk-full");
  hear({ type: "lobby", tables: [{ ...closed, trouble: paused }], closed: [] });
  expect(lobby.tables?.map(mayCome)).toEqual([false, true]);
});

it("comes back when the connection breaks, later and later, and asks anew", async () => {
  sockets[0]?.onclose?.({} as CloseEvent);
  expect(lobby.failure).toBe("The house is not responding. Trying again.");
  expect(seats()).toEqual([0, 2]);
  isDown = true;
  await lobby.open();
  expect(timers.map(({ wait }) => wait)).toEqual([1_000, 2_000]);
  isDown = false;
  await lobby.open();
  expect([asked, sockets.length, lobby.failure]).toEqual([3, 2, ""]);
  hear({ type: "lobby", tables: [], closed: [] });
  sockets[1]?.onclose?.({} as CloseEvent);
  expect(timers.at(-1)?.wait).toBe(1_000);
});

it("is silent once it has ended", () => {
  lobby.end();
  sockets[0]?.onclose?.({} as CloseEvent);
  expect([timers.length, lobby.failure]).toEqual([0, ""]);
});

it("leaves tables alone that the house does not name", () => {
  const tables = [open("war-1", 1)];
  expect(changed(tables, [{ ...QUIET, table: "war-9", taken: 5 }])).toEqual(tables);
});
