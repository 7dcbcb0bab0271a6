import { expect, it } from "vitest";
import { misfits, violations } from "./access";
import { House } from "./house";
import { PHONE, Player } from "./player";
import { visit } from "./visit";

const here = visit();

it("a private table is opened in one click, shared by its link, and in no list", async () => {
  here.house = await House.open("");
  const ann = await here.with(Player.arrive(here.browser, here.house.address));
  await ann.page
    .getByRole("region", { name: "A table of your own" })
    .getByRole("button", { name: "Casino War" })
    .click();
  await ann.button("Deal").waitFor();
  const link = ann.page.url();
  expect(link).not.toContain("war-1");
  const bob = await here.with(Player.enter(here.browser, here.house.address));
  await bob.page.goto(link);
  await bob.reads("Take a seat to play:");
  await bob.page.goto(link.replace("/table/", "/rules/"));
  await bob.page.getByRole("heading", { name: "How the game goes" }).waitFor();
  await bob.page.goto(here.house.address);
  await bob.watch("Casino War").waitFor();
  expect(await bob.page.getByRole("button", { name: /^Watch Casino War/ }).count()).toBe(1);
});

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
  const told = ann.page.getByRole("region", { name: "What it came to" });
  await told.getByRole("row", { name: /Double Deck Blackjack 1 −25/ }).waitFor();
  await told.getByRole("row", { name: /Bet 1 25 −25/ }).waitFor();
  expect(await violations(ann)).toEqual([]);
  expect((await misfits(ann)).filter((found) => found !== "it scrolls")).toEqual([]);
  await ann.picture("phone-statistics", true);
  // Whoever is seated keeps the name; a guest who is not takes another.
  const bob = await here.with(Player.enter(here.browser, here.house.address));
  await bob.page.goto(`${here.house.address}/me`);
  await bob.page.getByLabel("What you want to be called").fill("lucky-otter");
  await bob.button("Take this name").click();
  await bob.page.getByRole("heading", { name: "lucky-otter" }).waitFor();
});
