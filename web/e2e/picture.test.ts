import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { House, programs } from "./house";
import { film, movie, SLOWER } from "./movie";
import { DESKTOP, openBrowser, Player } from "./player";

const { PICTURE, MOVIE } = process.env;

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

/** Films a hand for the documentation: `MOVIE=../docs/table.webp npm run e2e picture`. */
it.skipIf(!MOVIE)("films a double", { timeout: 600_000 }, async () => {
  await programs();
  // The seat, the dealer, the seat, the hole card: 11 against 6. A king, and the dealer draws to 25.
  const house = await House.open("9d 6s 2h Tc Kh 9s", "--pace", "1600", "--contributions", "0", ...CLOCK);
  const browser = await openBrowser();
  const ann = await Player.arrive(browser, house.address, {
    viewport: FILM,
    reducedMotion: "no-preference",
    bypassCSP: true,
  });
  // A clock on the film counts as fast as everything on it moves.
  await ann.page.addInitScript((slower) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() / slower;
  }, SLOWER);
  await ann.page.reload();
  await ann.button(/^Sit down at Double Deck/).click();
  await ann.button("Deal").waitFor();
  // Where cards are known beforehand, nobody contributes to their order: that is no news here.
  await ann.page.addStyleTag({ content: ".say [role=note] { display: none }" });
  const shots = await film(ann.page, async () => {
    await ann.page.waitForTimeout(2_000);
    for (const key of ["3", "3"]) {
      await ann.page.keyboard.press(key);
      await ann.page.waitForTimeout(2_000);
    }
    await ann.page.keyboard.press("Enter");
    await ann.button("Double 50").waitFor();
    await ann.page.waitForTimeout(4_000);
    await ann.page.keyboard.press("d");
    await ann.reads("Dealer busts with 25");
    await ann.page.waitForTimeout(6_000);
  });
  const made = await movie(ann.page, shots, 720);
  expect(made.length).toBeLessThan(1_500_000);
  writeFileSync(MOVIE ?? "", made);
  await browser.close();
  await house.close();
});

/** How long a house usually waits for a bet and for a decision. */
const CLOCK = ["--betting", "15000", "--answer", "30000"];

/** Narrow enough to be read when it is shown smaller. */
const FILM = { width: 1080, height: 720 };
