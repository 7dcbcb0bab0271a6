import type { Browser, WebSocketRoute } from "playwright-core";
import type { AboutTable, FromClient, FromHouse, OpenTable, PlayerCommand, View } from "../src/wire";
import type { House } from "./house";
import { Player } from "./player";

/** A table at which a page sees whatever a test prepares, though no house could be brought to it soon. */
export class Prepared {
  private socket: WebSocketRoute | null = null;
  private version = 0;
  /** What the page has asked for, but for the table itself. */
  readonly asked: PlayerCommand[] = [];

  private constructor(
    readonly player: Player,
    readonly about: AboutTable,
  ) {}

  /** Brings a guest to a table of a house that says nothing of its own. */
  static async at(browser: Browser, house: House, table: string): Promise<Prepared> {
    const open = (await (await fetch(`${house.address}/api/tables`)).json()) as OpenTable[];
    const about = open.find((one) => one.table === table)?.about;
    if (!about) throw new Error(`there is no table ${table}`);
    const player = await Player.arrive(browser, house.address);
    const prepared = new Prepared(player, about);
    await player.page.evaluate(() => fetch("/api/guest", { method: "POST" }));
    await player.page.routeWebSocket(/\/ws$/, (socket) => prepared.take(socket));
    return prepared;
  }

  /** Shows a view, at the table itself. */
  async show(view: View): Promise<void> {
    if (this.socket === null) {
      await this.player.page.goto(`${this.player.address}/table/${this.about.table}`);
      await this.player.page.getByText("Joining the table…").waitFor();
    }
    this.say({ type: "state", version: ++this.version, number: this.version, view });
    await this.player.page.locator(".felt").waitFor();
  }

  say(message: FromHouse): void {
    this.socket?.send(JSON.stringify(message));
  }

  private take(socket: WebSocketRoute): void {
    this.socket = socket;
    socket.onMessage((text) => {
      const { id, do: what } = JSON.parse(String(text)) as FromClient;
      this.say({ type: "answer", id, ok: true, seq: null, refusal: null });
      if ("player" in what) this.asked.push(what.player);
      if (!("client" in what)) return;
      this.say({ type: "table", about: this.about });
      this.say({ type: "account", name: "ann", balance: "900" });
    });
  }
}
