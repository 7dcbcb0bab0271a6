import type { Socket } from "./connection";
import type { FromHouse, LobbyTable, OpenTable } from "./wire";
import { say } from "./text/text.svelte";

/** The world outside, so that tests can be it. */
export interface LobbyWorld {
  tables(): Promise<OpenTable[]>;
  connect(): Socket;
  after(milliseconds: number, then: () => void): () => void;
}

const FIRST_RETRY = 1_000;
const LONGEST_RETRY = 30_000;

/** The tables with what changed at some of them. */
export function changed(tables: readonly OpenTable[], changes: readonly LobbyTable[]): OpenTable[] {
  return tables.map((open) => ({ ...open, ...changes.find(({ table }) => table === open.table) }));
}

/** Whether somebody more can sit down there: there is room, and nothing keeps it from taking wagers. */
export function mayCome({ watchable, taken, seats, trouble }: OpenTable): boolean {
  return watchable && taken < seats && trouble === null;
}

/**
 * The tables of a house, as they are. They are asked for once; then the house says what changes, and
 * nothing where nothing does. When the connection breaks, it is tried again.
 */
export class LobbyFeed {
  tables = $state.raw<OpenTable[] | null>(null);
  failure = $state("");

  private socket: Socket | null = null;
  private cancelTimer = () => {};
  private tries = 0;
  private ended = false;

  constructor(private readonly world: LobbyWorld) {}

  async open(): Promise<void> {
    try {
      const tables = await this.world.tables();
      if (this.ended) return;
      [this.tables, this.failure] = [tables, ""];
      this.listen();
    } catch (error) {
      this.lost(this.tables === null ? (error as Error).message : "");
    }
  }

  /** Looks again: there are tables that were not there before. */
  private async look(): Promise<void> {
    const tables = await this.world.tables().catch(() => null);
    if (tables !== null && !this.ended) this.tables = tables;
  }

  /** Says goodbye for good. */
  end(): void {
    this.ended = true;
    this.cancelTimer();
    this.socket?.close();
  }

  private listen(): void {
    const socket = this.world.connect();
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as FromHouse;
      if (message.type !== "lobby" || this.tables === null) return;
      this.tries = 0;
      const isKnown = ({ table }: LobbyTable) => this.tables?.some((open) => open.table === table) ?? false;
      this.tables = changed(this.tables, message.tables).filter(({ table }) => !message.closed.includes(table));
      if (!message.tables.every(isKnown)) void this.look();
    };
    socket.onclose = () => this.lost("");
  }

  private lost(why: string): void {
    if (this.ended) return;
    this.failure = why || say("standing.lobby-silent");
    const wait = Math.min(FIRST_RETRY * 2 ** this.tries, LONGEST_RETRY);
    this.tries += 1;
    this.cancelTimer = this.world.after(wait, () => void this.open());
  }
}
