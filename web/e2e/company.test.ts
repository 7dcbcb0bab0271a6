import { expect, it } from "vitest";
import { misfits, violations } from "./access";
import { House } from "./house";
import { DESKTOP, PHONE, Player } from "./player";
import { visit } from "./visit";

const here = visit();

it("a private table has terms of one's own, is shared by its link, and in no list", async () => {
  here.house = await House.open("");
  const ann = await here.with(Player.arrive(here.browser, here.house.address));
  const own = ann.page.getByRole("region", { name: "A private table" });
  await own.getByRole("button", { name: "Casino War", exact: true }).click();
  // What there is to choose comes from the book; the progressive belongs to the house.
  await own.getByLabel("Decks in the shoe").selectOption("8");
  expect(await own.getByLabel(/meter/i).count()).toBe(0);
  await own.getByLabel("Largest opening wager").fill("2");
  expect(await violations(ann)).toEqual([]);
  await ann.picture("desktop-private-terms", true);
  // The house refuses what its book does.
  await own.getByRole("button", { name: "Open a Casino War table" }).click();
  await own.getByRole("alert").getByText("main_max").waitFor();
  // A refused request is an error to the browser, and none of the page.
  ann.complaints.length = 0;
  await own.getByLabel("Largest opening wager").fill("50");
  await own.getByRole("button", { name: "Open a Casino War table" }).click();
  await ann.button("Deal").waitFor();
  await ann.reads("Initial 5 to 50");
  await ann.reads(/8 decks/);
  const link = ann.page.url();
  expect(link).not.toContain("war-1");
  // The table itself has its link, to be sent to others.
  await ann.button("Rules").click();
  expect(await ann.page.getByRole("region", { name: "the link of this table" }).innerText()).toBe(link);
  await ann.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await ann.button("Copy the link of this table").click();
  await ann.button("Copied").waitFor();
  expect(await ann.page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  const bob = await here.with(Player.enter(here.browser, here.house.address));
  await bob.page.goto(link);
  await bob.reads("Take a seat to play:");
  await bob.page.goto(link.replace("/table/", "/rules/"));
  await bob.page.getByRole("heading", { name: "How to play" }).waitFor();
  await bob.page.goto(here.house.address);
  await bob.watch("Casino War").waitFor();
  expect(await bob.page.getByRole("button", { name: /^Watch Casino War/ }).count()).toBe(1);
});

it.each([
  ["phone", PHONE],
  ["desktop", DESKTOP],
])(
  "a shared link opens its table with one click for somebody whom the house does not know, on a %s",
  async (size, viewport) => {
    here.house = await House.open("");
    const ann = await here.with(Player.arrive(here.browser, here.house.address));
    const own = ann.page.getByRole("region", { name: "A private table" });
    await own.getByRole("button", { name: "Casino War", exact: true }).click();
    await own.getByRole("button", { name: "Open a Casino War table" }).click();
    await ann.button("Deal").waitFor();
    for (const link of [ann.page.url(), `${here.house.address}/table/deck-1`]) {
      const bob = await here.with(Player.arrive(here.browser, link, { viewport }));
      await bob.reads(`This link is for ${link.split("/").at(-1)}.`);
      expect(await bob.context.cookies()).toEqual([]);
      expect(await violations(bob)).toEqual([]);
      await bob.picture(`${size}-shared-link`);
      await bob.button("Join this table").click();
      // One click: a guest, at that table, with a seat and chips.
      await bob.button("Deal").waitFor();
      expect(bob.page.url()).toBe(link);
      expect(await bob.page.locator(".box.mine").count()).toBe(1);
    }
  },
);

it("statistics are the ledger's, also after a restart, and a guest takes another name", async () => {
  // 17 against a ten, under which lies a queen.
  here.house = await House.open("Kd Ts 7h Qc");
  const ann = await here.with(Player.arrive(here.browser, here.house.address, { viewport: PHONE }));
  await ann.sitDownByKeys("Double Deck");
  await ann.keys("3", "Enter");
  await ann.button("Stand stay on 17").click();
  await ann.reads("Dealer 20 beats your 17");
  await here.house.kill();
  await here.house.start();
  await ann.page.goto(`${here.house.address}/me`);
  const told = ann.page.getByRole("region", { name: "Your results" });
  await told.getByRole("row", { name: /Double Deck Blackjack 1 −25/ }).waitFor();
  await told.getByRole("row", { name: /Bet 1 25 −25/ }).waitFor();
  expect(await violations(ann)).toEqual([]);
  expect((await misfits(ann)).filter((found) => found !== "it scrolls")).toEqual([]);
  await ann.picture("phone-statistics", true);
  // Whoever is seated keeps the name; a guest who is not takes another.
  const bob = await here.with(Player.enter(here.browser, here.house.address));
  await bob.page.goto(`${here.house.address}/me`);
  await bob.page.getByLabel("New name").fill("lucky-otter");
  await bob.button("Take this name").click();
  await bob.page.getByRole("heading", { name: "lucky-otter" }).waitFor();
});

it("house players come when they are asked for, play along, and leave", async () => {
  here.house = await House.served("--pace", "0");
  const ann = await here.with(Player.arrive(here.browser, here.house.address));
  await ann.page.evaluate(() => localStorage.setItem("pitboss ceremony", "skip"));
  await ann.button(/^Sit down at Casino War/).click();
  await ann.button("Deal").waitFor();
  await ann.button("Company").click();
  await ann.page.getByRole("radio", { name: "2", exact: true }).click();
  await ann.keys("Escape");
  const signs = ann.page.locator(".plate .house");
  await expect.poll(() => signs.count(), { timeout: 20_000 }).toBe(2);
  expect(await misfits(ann)).toEqual([]);
  expect(await violations(ann)).toEqual([]);
  // They bet once Ann has, and are paid or not like everybody.
  await ann.keys("3", "Enter");
  const decided = ann.page.locator(".box:has(.plate .house) .gain");
  await expect
    .poll(
      async () => {
        if ((await ann.button("Go to war").count()) > 0) await ann.keys("w");
        return (await decided.count()) >= 2 && (await ann.page.locator(".felt .decided").count()) > 0;
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  await ann.picture("desktop-company");
  await ann.page.setViewportSize(PHONE);
  expect(await misfits(ann)).toEqual([]);
  await ann.picture("phone-company");
  await ann.button("Company").click();
  await ann.page.getByRole("radio", { name: "None" }).click();
  await expect.poll(() => signs.count(), { timeout: 20_000 }).toBe(0);
});
