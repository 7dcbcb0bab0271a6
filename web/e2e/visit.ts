import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type House, programs } from "./house";
import { openBrowser, type Player } from "./player";

/** Who and what the tests of a file meet. */
export class Visit {
  browser!: Browser;
  /** The house of the present test. */
  house!: House;
  private players: Player[] = [];

  /** Somebody who is looked after: no page may complain, and everybody leaves when a test is over. */
  async with(arriving: Promise<Player>): Promise<Player> {
    const player = await arriving;
    this.players.push(player);
    return player;
  }

  async end(): Promise<void> {
    const complaints = this.players.flatMap((player) => player.complaints);
    await Promise.all(this.players.map((player) => player.leave()));
    this.players = [];
    await this.house.close();
    expect(complaints).toEqual([]);
  }
}

/** A browser for the tests of a file, and an end for each of them. */
export function visit(): Visit {
  const visit = new Visit();
  beforeAll(async () => {
    await programs();
    visit.browser = await openBrowser();
  }, 600_000);
  afterAll(() => visit.browser.close());
  afterEach(() => visit.end());
  return visit;
}
