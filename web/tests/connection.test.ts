import { beforeEach, describe, expect, it } from "vitest";
import { type Answer, Connection, type Socket, type Standing } from "../src/connection";
import { ours } from "../src/refusal";
import { type Command, type FromClient, type FromHouse, PROTOCOL } from "../src/wire";
import { refusal as refused, view } from "./view";

/** The word of a command. */
const word = (command: Command) => Object.values(command)[0]?.type;

/** A socket of which the test is the other end. */
class Line implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  said: FromClient[] = [];
  isClosed = false;

  send(text: string): void {
    this.said.push(JSON.parse(text) as FromClient);
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.onopen?.({} as Event);
  }

  hear(message: FromHouse): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
  }

  /** Shows the table, so that the connection counts as open. */
  show(version: number): void {
    this.open();
    this.hear({ type: "answer", id: this.said[0]?.id ?? "", ok: true, seq: null, refusal: null });
    this.hear({ type: "state", version, number: 1, view: view() });
  }

  cut(): void {
    this.onclose?.({} as CloseEvent);
  }

  get asked(): Command[] {
    return this.said.map((message) => message.do);
  }
}

let lines: Line[];
let timers: { wait: number; then: () => void }[];
let standings: Standing[];
let heard: FromHouse[];
let version: number | null;
let moment: string;
let known: boolean;
let connection: Connection;

const line = () => lines.at(-1) as Line;

/** Lets the timer that was set last run out. */
function ring(): number {
  const timer = timers.pop();
  timer?.then();
  return timer?.wait ?? -1;
}

beforeEach(() => {
  [lines, timers, standings, heard] = [[], [], [], []];
  [version, moment, known] = [null, "round 1", true];
  let ids = 0;
  connection = new Connection(
    "war-1",
    {
      connect: () => lines[lines.push(new Line()) - 1] as Line,
      isKnown: async () => known,
      newId: () => `id-${++ids}`,
      now: () => 1000,
      after: (wait, then) => {
        const timer = { wait, then };
        timers.push(timer);
        return () => (timers = timers.filter((other) => other !== timer));
      },
      chance: () => 1,
    },
    {
      heard: (message) => {
        heard.push(message);
        if (message.type === "state") version = message.version;
      },
      standing: (standing) => standings.push(standing),
      version: () => version,
      moment: () => moment,
    },
  );
  connection.open();
});

describe("a connection", () => {
  it("can be tried again at once, also where a try hangs, and says after what", () => {
    line().show(1);
    line().cut();
    connection.tryNow();
    const hanging = line();
    expect(standings.at(-1)).toEqual({ is: "connecting", after: "broken" });
    connection.tryNow();
    expect([hanging.isClosed, lines.length]).toEqual([true, 3]);
    line().show(1);
    connection.tryNow();
    expect([standings.at(-1), lines.length]).toEqual([{ is: "open" }, 3]);
  });

  it("watches its table from the beginning, and is open when the table is shown", () => {
    line().open();
    expect(line().asked).toEqual([{ client: { type: "watch", table: "war-1", from: null } }]);
    expect(standings).toEqual([{ is: "connecting", after: null }]);
    line().hear({ type: "state", version: 3, number: 1, view: view() });
    expect(standings.at(-1)).toEqual({ is: "open" });
  });

  it("answers a command with what the house said", async () => {
    line().show(3);
    const [sat, bet] = [connection.send({ type: "sit", seat: 1 }), connection.send({ type: "ready" })];
    const [, first, second] = line().said;
    const refusal = refused("not-seated", "G-26", "Take a seat first.");
    line().hear({ type: "answer", id: second?.id ?? "", ok: false, seq: null, refusal });
    line().hear({ type: "answer", id: first?.id ?? "", ok: true, seq: 4, refusal: null });
    expect(await sat).toEqual({ is: "done" } satisfies Answer);
    expect(await bet).toEqual({ is: "refused", refusal });
  });

  it("comes back from the last version and sends again what was not answered, with its id", async () => {
    line().show(3);
    const answer = connection.send({ type: "sit", seat: 1 });
    const sent = line().said[1];
    line().cut();
    ring();
    line().show(5);
    expect(lines.length).toBe(2);
    expect(line().said).toEqual([{ id: "id-3", do: { client: { type: "watch", table: "war-1", from: 3 } } }, sent]);
    line().hear({ type: "answer", id: sent?.id ?? "", ok: true, seq: 6, refusal: null });
    expect(await answer).toEqual({ is: "done" });
    line().cut();
    ring();
    line().show(6);
    expect(line().said.length, "an answered command is not sent again").toBe(1);
  });

  it("does not repeat a decision once the table has gone on", async () => {
    line().show(3);
    const answer = connection.send({ type: "act", call: "war", amount: null });
    line().cut();
    ring();
    moment = "round 2";
    line().show(40);
    expect(line().asked.map(word)).toEqual(["watch"]);
    expect(await answer).toEqual({ is: "moot" });
  });

  it("keeps a command until the table is shown", () => {
    line().open();
    void connection.send({ type: "ready" });
    expect(line().said.length).toBe(1);
    line().hear({ type: "state", version: 1, number: 1, view: view() });
    expect(line().asked.map(word)).toEqual(["watch", "ready"]);
  });

  it("sends nothing again before all that was missed is there", () => {
    line().show(3);
    void connection.send({ type: "ready" });
    line().cut();
    ring();
    line().open();
    line().hear({ type: "event", version: 4, events: [], story: [], number: 0, change: null });
    expect(line().said.length).toBe(1);
    line().hear({ type: "state", version: 4, number: 1, view: view() });
    expect(line().said.length).toBe(2);
  });

  it("waits longer after each failure, up to a limit, and anew after a success", () => {
    const waits = Array.from({ length: 8 }, () => (line().cut(), ring()));
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    line().show(1);
    line().cut();
    expect(ring()).toBe(250);
  });

  it("says when it tries again, and tries at once when asked to", () => {
    line().show(1);
    line().cut();
    expect(standings.at(-1)).toEqual({ is: "offline", retry: 1250, why: "broken" });
    connection.open();
    expect(lines.length).toBe(2);
    expect(timers.length, "the earlier timer is off").toBe(1);
  });

  it("gives up a socket that opens but shows no table", () => {
    line().open();
    expect(ring()).toBe(10_000);
    expect(lines[0]?.isClosed).toBe(true);
    expect(standings.at(-1)?.is).toBe("offline");
  });

  it("notices a house that does not answer, and comes back with the same command", async () => {
    line().show(3);
    const answer = connection.send({ type: "sit", seat: 1, behind: false });
    const sent = line().said[1];
    line().hear({ type: "state", version: 4, number: 2, view: view() });
    expect(timers.map(({ wait }) => wait).sort(), "a word of the table is no answer").toEqual([15_000, 5_000]);
    timers.find(({ wait }) => wait === 5_000)?.then();
    expect(lines[0]?.isClosed).toBe(true);
    expect(standings.at(-1)).toMatchObject({ is: "offline", why: "silent" });
    expect(timers.length, "only the next try is left").toBe(1);
    ring();
    line().show(4);
    expect(line().said[1]).toEqual(sent);
    line().hear({ type: "answer", id: sent?.id ?? "", ok: true, seq: 5, refusal: null });
    expect(await answer).toEqual({ is: "done" });
    expect(timers.map(({ wait }) => wait)).toEqual([15_000]);
  });

  it("asks a quiet house whether it is there", () => {
    line().show(3);
    expect(ring()).toBe(15_000);
    expect(line().asked.at(-1)).toEqual({ client: { type: "ping" } });
    line().hear({ type: "answer", id: line().said.at(-1)?.id ?? "", ok: true, seq: null, refusal: null });
    expect(ring()).toBe(15_000);
    expect(ring(), "the ping is not answered").toBe(5_000);
    expect(standings.at(-1)).toMatchObject({ is: "offline", why: "silent" });
  });

  it("does not come back by itself where it is turned away, and says why", () => {
    line().show(3);
    line().onclose?.({ code: 1008, reason: "You have 8 tabs open." } as CloseEvent);
    const refusal = ours("turned-away", "You have 8 tabs open.");
    expect(standings.at(-1)).toEqual({ is: "refused", refusal });
    expect(timers).toEqual([]);
  });

  it("says with the house's own code why somebody does not play now", () => {
    line().show(3);
    const refusal = refused("suspended", "G-09", "You are suspended. Ask the house why.");
    line().hear({ type: "away", refusal });
    line().onclose?.({ code: 1008, reason: refusal.sentence } as CloseEvent);
    expect(standings.at(-1)).toEqual({ is: "refused", refusal });
    expect(timers).toEqual([]);
  });

  it("says that the house closes, and comes back to it", () => {
    line().show(1);
    line().hear({ type: "closing" });
    line().cut();
    expect(standings.at(-1)).toMatchObject({ is: "offline", why: "closing" });
    ring();
    line().show(1);
    line().cut();
    expect(standings.at(-1)).toMatchObject({ why: "broken" });
  });

  it("stops where the house does not know us", async () => {
    known = false;
    line().cut();
    await Promise.resolve();
    expect(standings.at(-1)).toEqual({ is: "unknown" });
    expect(timers).toEqual([]);
  });

  it("stops where the house speaks another protocol, and says what to do", () => {
    line().open();
    line().hear({ type: "hello", protocol: PROTOCOL });
    expect(standings.at(-1)).toEqual({ is: "connecting", after: null });
    line().hear({ type: "hello", protocol: PROTOCOL + 1 });
    expect(standings.at(-1)).toMatchObject({ is: "refused", refusal: { code: "other-protocol" } });
    expect([line().isClosed, timers]).toEqual([true, []]);
  });

  it("stops where the table may not be watched", () => {
    line().open();
    const refusal = ours("no-such-table", "There is no such table.");
    line().hear({ type: "answer", id: "id-1", ok: false, seq: null, refusal });
    expect(standings.at(-1)).toEqual({ is: "refused", refusal });
    expect(line().isClosed).toBe(true);
  });

  it("hears nothing more from a socket that it gave up", () => {
    const first = line();
    first.show(1);
    first.cut();
    ring();
    first.hear({ type: "closing" });
    expect(heard.some(({ type }) => type === "closing")).toBe(false);
  });
});
