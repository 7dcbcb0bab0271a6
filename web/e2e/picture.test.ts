import { it } from "vitest";
import { House, programs } from "./house";
import { DESKTOP, openBrowser, Player } from "./player";

const PICTURE = process.env.PICTURE;

/** Draws the picture of the table for the documentation: `PICTURE=../docs/table.png npm run e2e picture`. */
it.skipIf(!PICTURE)("takes a picture of a war", { timeout: 600_000 }, async () => {
  await programs();
  // Seats 2, 3, 5 and 6 and the dealer, of whom 3 and 5 tie; burn cards; 3, 5 and the dealer.
  const house = await House.open("Kc 9d 9s 4h 9h 2c 2d 2h Qh Jd Ts", "--answer", "30000");
  const browser = await openBrowser();
  const players = [];
  for (const seat of [3, 2, 5, 6]) {
    const player = await Player.enter(browser, house.address, { viewport: DESKTOP });
    await player.sit(seat);
    players.push(player);
  }
  const [ann, bob, cat, dan] = players as [Player, Player, Player, Player];
  await ann.put("Tie", 5);
  await ann.put("Progressive", 5);
  await cat.put("Tie", 1, 1);
  await ann.bet(25);
  await bob.bet(100);
  await cat.bet(5, 5);
  await dan.bet(25, 5);
  await cat.button("Go to war").click();
  await ann.button("Go to war").waitFor();
  await ann.page.mouse.move(0, 0);
  await ann.page.screenshot({ path: PICTURE });
  await browser.close();
  await house.close();
});
