import { ours } from "./refusal";
import { type FromClient, type FromHouse, type PlayerCommand, PROTOCOL, type Refusal } from "./wire";
import { say } from "./text/text.svelte";

/** Why there is no connection: it broke, the house said that it closes, or it does not answer. */
export type Why = "broken" | "closing" | "silent";

/**
 * How we stand with the house. `offline` says why, and when the next try is; `connecting` says after
 * what. After `unknown` (the house does not know us) and `refused` there is no further try.
 */
export type Standing =
  | { is: "connecting"; after: Why | null }
  | { is: "open" }
  | { is: "offline"; retry: number; why: Why }
  | { is: "unknown" }
  | { is: "refused"; refusal: Refusal };

/** What became of a command. `moot`: the connection broke and the table went on without it. */
export type Answer = { is: "done" } | { is: "refused"; refusal: Refusal } | { is: "moot" };

/** What this module needs of a browser's WebSocket. */
export interface Socket {
  onopen: ((event: Event) => void) | null;
  onmessage: ((message: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

/** The world outside, so that tests can be it. */
export interface World {
  connect(): Socket;
  /** Whether the house knows us; asked when a socket does not open. */
  isKnown(): Promise<boolean>;
  newId(): string;
  now(): number;
  after(milliseconds: number, then: () => void): () => void;
  /** From 0 to 1, so that many clients do not come back at the same moment. */
  chance(): number;
}

/** What the connection tells, and what it asks, of whoever keeps the table. */
export interface Listener {
  heard(message: FromHouse): void;
  standing(standing: Standing): void;
  /** The last version that was seen, to go on from. */
  version(): number | null;
  /** The moment of the table: a command of another moment is not sent again. */
  moment(): string;
}

interface Sent {
  message: FromClient;
  moment: string;
  answer: (answer: Answer) => void;
}

const FIRST_RETRY = 250;
const LONGEST_RETRY = 8_000;

/** After so long without an answer to `watch` the socket is given up. */
const LONGEST_WATCH = 10_000;

/** After so long without an answer to anything else the house counts as silent. */
const LONGEST_ANSWER = 5_000;

/** After so long without a word of the house it is asked whether it is there. */
const LONGEST_QUIET = 15_000;

/** The code with which the house turns someone away who is not to come back by themselves. */
const TURNED_AWAY = 1008;

/**
 * A WebSocket that comes back by itself. A command that was not answered when it broke is sent again
 * with the same id, so it is done once; unless the table has gone on to another moment, for then it
 * would mean something that nobody said.
 */
export class Connection {
  private socket: Socket | null = null;
  private unanswered = new Map<string, Sent>();
  private watching = "";
  /** Whether the table has been shown since the socket opened. */
  private resumed = false;
  private closing = false;
  /** Why the house is about to turn us away. */
  private away: Refusal | null = null;
  /** Why there was no connection last; null where there was one, or none yet. */
  private why: Why | null = null;
  private tries = 0;
  private cancelTimer = () => {};
  /** The clocks of what is to be answered, by id. */
  private patience = new Map<string, () => void>();
  private ended = false;

  constructor(
    private readonly table: string,
    private readonly world: World,
    private readonly listener: Listener,
  ) {}

  open(): void {
    this.cancelTimer();
    if (this.ended || this.socket) return;
    this.listener.standing({ is: "connecting", after: this.why });
    const socket = this.world.connect();
    let opened = false;
    this.socket = socket;
    this.cancelTimer = this.world.after(LONGEST_WATCH, () => this.lost(socket, opened, "silent"));
    socket.onopen = () => {
      opened = true;
      this.watch();
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      if (this.resumed) this.listen(socket);
      this.hear(JSON.parse(String(data)) as FromHouse);
    };
    socket.onclose = ({ code, reason }) =>
      code === TURNED_AWAY ? this.turnedAway(socket, reason) : this.lost(socket, opened, "broken");
  }

  /** Tries at once, and gives up a try that hangs. */
  tryNow(): void {
    if (this.resumed) return;
    if (this.socket) {
      this.socket.onclose = null;
      this.socket.close();
      this.socket = null;
    }
    this.open();
  }

  /** Says goodbye for good. */
  end(): void {
    this.ended = true;
    this.cancelTimers();
    this.socket?.close();
    this.socket = null;
  }

  /** Sends a command, and promises its answer, however often the connection breaks meanwhile. */
  send(what: PlayerCommand): Promise<Answer> {
    const message: FromClient = { id: this.world.newId(), do: { player: what } };
    return new Promise((answer) => {
      this.unanswered.set(message.id, { message, moment: this.listener.moment(), answer });
      if (this.resumed) this.sayAndWait(message);
    });
  }

  /** Asks for what was missed: on opening, and when a version was left out. */
  watch(): void {
    this.watching = this.world.newId();
    const from = this.listener.version();
    this.say({ id: this.watching, do: { client: { type: "watch", table: this.table, from } } });
  }

  private say(message: FromClient): void {
    this.socket?.send(JSON.stringify(message));
  }

  /** Says something that the house has to answer in time. */
  private sayAndWait(message: FromClient): void {
    const socket = this.socket;
    if (!socket) return;
    this.say(message);
    const cancel = this.world.after(LONGEST_ANSWER, () => this.lost(socket, true, "silent"));
    this.patience.set(message.id, cancel);
  }

  /** Asks whether the house is there when it has said nothing for a while. */
  private listen(socket: Socket): void {
    this.cancelTimer();
    this.cancelTimer = this.world.after(LONGEST_QUIET, () => {
      if (socket === this.socket) this.sayAndWait({ id: this.world.newId(), do: { client: { type: "ping" } } });
    });
  }

  private cancelTimers(): void {
    this.cancelTimer();
    for (const cancel of this.patience.values()) cancel();
    this.patience.clear();
  }

  private hear(message: FromHouse): void {
    switch (message.type) {
      case "answer":
        return this.answered(message.id, message.refusal ?? null);
      case "hello":
        if (message.protocol !== PROTOCOL) this.outgrown();
        return;
      case "closing":
        this.closing = true;
        break;
      case "away":
        this.away = message.refusal;
        return;
      case "state":
        this.listener.heard(message);
        return this.resume();
    }
    this.listener.heard(message);
  }

  private answered(id: string, refusal: Refusal | null): void {
    this.patience.get(id)?.();
    this.patience.delete(id);
    if (id === this.watching) {
      if (refusal) {
        this.end();
        this.listener.standing({ is: "refused", refusal });
      }
      return;
    }
    const sent = this.unanswered.get(id);
    this.unanswered.delete(id);
    sent?.answer(refusal ? { is: "refused", refusal } : { is: "done" });
  }

  /** The table stands before us again: what was not answered is sent once more, or is moot. */
  private resume(): void {
    if (this.resumed) return;
    this.tries = 0;
    this.resumed = true;
    if (this.socket) this.listen(this.socket);
    [this.closing, this.why] = [false, null];
    this.listener.standing({ is: "open" });
    for (const [id, sent] of this.unanswered) {
      if (sent.moment === this.listener.moment()) {
        this.sayAndWait(sent.message);
      } else {
        this.unanswered.delete(id);
        sent.answer({ is: "moot" });
      }
    }
  }

  private turnedAway(socket: Socket, reason: string): void {
    if (socket !== this.socket || this.ended) return;
    this.end();
    const sentence = reason || say("standing.turned-away");
    this.listener.standing({ is: "refused", refusal: this.away ?? ours("turned-away", sentence) });
  }

  /** The house speaks another version of the protocol than this page. */
  private outgrown(): void {
    this.end();
    const sentence = say("standing.other-protocol");
    this.listener.standing({ is: "refused", refusal: ours("other-protocol", sentence) });
  }

  private lost(socket: Socket, opened: boolean, why: Why): void {
    if (socket !== this.socket || this.ended) return;
    socket.onclose = null;
    socket.close();
    this.socket = null;
    this.resumed = false;
    this.cancelTimers();
    if (!opened) this.askWhetherKnown();
    const slowest = Math.min(FIRST_RETRY * 2 ** this.tries, LONGEST_RETRY);
    const wait = slowest * (0.5 + this.world.chance() / 2);
    this.tries += 1;
    this.cancelTimer = this.world.after(wait, () => this.open());
    const retry = this.world.now() + wait;
    this.why = this.closing ? "closing" : why;
    this.listener.standing({ is: "offline", retry, why: this.why });
  }

  private askWhetherKnown(): void {
    void this.world.isKnown().then((known) => {
      if (known || this.resumed || this.ended) return;
      this.end();
      this.listener.standing({ is: "unknown" });
    });
  }
}
