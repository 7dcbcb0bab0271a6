import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";

const PLACES = ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where pictures of the pages are kept. */
const ARTIFACTS = process.env.ARTIFACTS ?? join(import.meta.dirname, "..", "artifacts");

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
export const LOW_PHONE = { width: 390, height: 664 };
export const SMALL_PHONE = { width: 320, height: 568 };
export const SIDEWAYS = { width: 844, height: 390 };
export const WALL = { width: 3840, height: 2160 };
export const TABLET = { width: 768, height: 1024 };
export const LAPTOP = { width: 1366, height: 650 };

const GAMES = ["casino-war", "double-down-stud", "double-deck", "double-attack", "free-bet"];

/** How long a person looks at what Enter would do, in milliseconds. */
const LOOK = 500;

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find(existsSync);
  if (!executablePath) throw new Error("no chromium is found; name one in CHROMIUM");
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A person at a page, and all that the page heard and asked for. */
export class Player {
  /** Every message that came over a socket. */
  readonly frames: string[] = [];
  /** What the page complained of, or wanted from elsewhere. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly address: string,
  ) {
    page.setDefaultTimeout(20_000);
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => this.frames.push(String(payload))));
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("request", (request) => {
      if (new URL(request.url()).host !== new URL(address).host) {
        this.complaints.push(`asked ${request.url()}`);
      }
    });
    page.on("console", (message) => {
      // A refused connection while the house is away is no complaint.
      const isAway = /ERR_CONNECTION|WebSocket connection|ERR_EMPTY_RESPONSE/.test(message.text());
      const isUnknown = message.location().url.endsWith("/api/me");
      if (message.type() === "error" && !isAway && !isUnknown) this.complaints.push(message.text());
    });
  }

  /** Comes to the entrance of a house. */
  static async arrive(
    browser: Browser,
    address: string,
    options: BrowserContextOptions = { viewport: DESKTOP },
  ): Promise<Player> {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    // A test takes its time to look at the cards and to cut them, and knows the games.
    await context.addInitScript((games) => {
      for (const game of games) {
        if (localStorage.getItem(`pitboss has bet ${game}`) === null) {
          localStorage.setItem(`pitboss has bet ${game}`, "yes");
        }
        localStorage.setItem(`pitboss knows ${game}`, "yes");
      }
      if (localStorage.getItem("pitboss ceremony") === null) localStorage.setItem("pitboss ceremony", "wait");
    }, GAMES);
    const player = new Player(await context.newPage(), context, address);
    await player.page.goto(address);
    return player;
  }

  /** Comes to the table with one click. */
  static async enter(...to: Parameters<typeof Player.arrive>): Promise<Player> {
    return Player.enterGame("Casino War", ...to);
  }

  /** Comes to the first table of a game with one click; the house may have opened another. */
  static async enterGame(title: string, ...to: Parameters<typeof Player.arrive>): Promise<Player> {
    const player = await Player.arrive(...to);
    await player.watch(title).first().click();
    await player.page.locator(".felt").waitFor();
    return player;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  /** The way to a table of a game, to look at it first. */
  watch(title: string): Locator {
    return this.button(new RegExp(`^Watch ${title}`));
  }

  /** Something that is read, anywhere on the page. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** Presses keys one after the other, each when the table has heard the one before. */
  async keys(...pressed: string[]): Promise<void> {
    for (const key of pressed) {
      await this.page.locator(".bar[aria-busy=true]").waitFor({ state: "detached" });
      // A person looks before pressing it.
      if (key === "Enter") await this.page.waitForTimeout(LOOK);
      await this.page.keyboard.press(key);
    }
  }

  /** Comes to a table and takes seat 1, which buys chips for 100: all by keys. */
  async sitDownByKeys(title: string): Promise<void> {
    await this.tabTo(this.watch(title));
    await this.keys("Enter");
    await this.reads("Take a seat to play:");
    await this.keys("1");
    await this.button("Deal").waitFor();
    await this.box(1).getByText("100", { exact: true }).waitFor();
  }

  /** Keeps a picture of the page among the artifacts. */
  async picture(name: string, fullPage = false): Promise<void> {
    await this.page.screenshot({ path: join(ARTIFACTS, `${name}.png`), fullPage });
  }

  /** Moves the focus on to a button or a field. */
  async tabTo(wanted: Locator): Promise<void> {
    await wanted.waitFor();
    for (let steps = 0; steps < 30; steps++) {
      await this.keys("Tab");
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`no key leads to ${wanted}`);
  }

  /** The box of a seat. */
  box(seat: number): Locator {
    return this.page.getByRole("region", { name: `Seat ${seat},` });
  }

  /** What is printed in a box, in one line. */
  async printed(seat: number): Promise<string> {
    return (await this.box(seat).innerText()).replaceAll(/\s+/g, " ");
  }

  /** Takes a seat, which buys chips for 100. */
  async sit(seat: number): Promise<void> {
    await this.box(seat).getByRole("button", { name: "Sit" }).click();
    await this.box(seat).getByText("100", { exact: true }).waitFor();
  }

  async buyIn(amount: string): Promise<void> {
    await this.page.getByLabel("Chips for").fill(amount);
    await this.button("Buy in").click();
    await this.page.getByLabel("Chips for").waitFor({ state: "detached" });
  }

  /** Puts chips on a circle: each is picked, and put there with a click. */
  async put(circle: string, ...chips: number[]): Promise<void> {
    for (const chip of chips) {
      await this.chip(chip).click();
      await this.page.getByRole("button", { name: new RegExp(`^${circle}:`) }).click();
    }
  }

  /** A chip in the tray. */
  chip(value: number): Locator {
    return this.page.getByRole("radio", { name: `Chip of ${value}`, exact: true });
  }

  /** The name that the house gave. */
  async name(): Promise<string> {
    const me = await this.page.evaluate(async () => (await fetch("/api/me")).json());
    return (me as { name: string }).name;
  }

  async bet(...chips: number[]): Promise<void> {
    await this.put("Initial", ...chips);
    await this.button("Deal").click();
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}
