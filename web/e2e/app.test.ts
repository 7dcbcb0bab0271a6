import { expect, it } from "vitest";
import { misfits } from "./access";
import { House } from "./house";
import { PHONE, Player } from "./player";
import { visit } from "./visit";

const here = visit();

it("can be installed, and says when the house is away, but shows nothing old as if it were live", async () => {
  here.house = await House.open("");
  const ann = await here.with(Player.arrive(here.browser, here.house.address));
  await ann.watch("Casino War").waitFor();
  const manifest = await ann.page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
    const found = (await (await fetch(link?.href ?? "")).json()) as { icons: { src: string; sizes: string }[] };
    const icons = await Promise.all(
      found.icons.map(
        async ({ src }) => (await createImageBitmap(await (await fetch(src)).blob()).catch(() => null))?.width,
      ),
    );
    return { ...found, icons: found.icons.map(({ sizes }, index) => [sizes, icons[index]]) };
  });
  expect(manifest).toMatchObject({ name: "Pitboss", display: "standalone", start_url: "/" });
  expect(manifest.icons).toContainEqual(["192x192", 192]);
  expect(manifest.icons).toContainEqual(["512x512", 512]);

  await ann.page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await ann.page.reload();
  await ann.watch("Casino War").waitFor();
  const kept = await ann.page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.sort()).toEqual(["/away.css", "/away.html"]);

  await here.house.kill();
  await ann.page.goto(`${here.house.address}/table/war-1`);
  await ann.page.getByRole("heading", { name: "The house is away" }).waitFor();
  expect(await ann.page.locator(".felt").count()).toBe(0);
  await ann.picture("desktop-away-house");
  await here.house.start();
  await ann.page.getByRole("link", { name: "Try again" }).click();
  await ann.watch("Casino War").waitFor();
});

it("fills the screen with a button or a key, and lists all keys with a question mark", async () => {
  here.house = await House.open("");
  const ann = await here.with(Player.enter(here.browser, here.house.address));
  const isWhole = () => ann.page.evaluate(() => document.fullscreenElement !== null);
  await ann.button("Full screen").click();
  await expect.poll(isWhole).toBe(true);
  await ann.keys("f");
  await expect.poll(isWhole).toBe(false);
  await ann.keys("?");
  const keys = ann.page.getByRole("complementary", { name: "Keys" });
  for (const words of ["deal", "stand", "go to war", "undo the last move", "full screen on or off"]) {
    await keys.getByText(words, { exact: true }).waitFor();
  }
});

it("guides somebody through the first hand of each game, and not through the second", async () => {
  // 17 against a ten, under which lies a queen; then 20 against 17.
  here.house = await House.open("Kd Ts 7h Qc Kc Th Qh 7s");
  const ann = await here.with(Player.arrive(here.browser, here.house.address, { viewport: PHONE }));
  await ann.page.evaluate(() => {
    for (const game of ["double-deck", "casino-war"]) localStorage.setItem(`pitboss has bet ${game}`, "no");
  });
  await ann.page.reload();
  await ann.button(/^Watch Double Deck/).click();
  await ann.sit(1);
  await ann.reads("Pick a chip below and tap the glowing circle.");
  await ann.put("Bet", 5);
  await ann.reads("Press Deal when you are ready.");
  await ann.button("Deal").click();
  await ann.reads("Stand: keep what you have. Hit: one more card; over 21 you lose.");
  expect(await misfits(ann)).toEqual([]);
  await ann.picture("phone-guide");
  await ann.button("Stand stay on 17").click();
  await ann.reads("Dealer 20 beats your 17");
  await ann.button("Rebet").click();
  await ann.button("Deal").click();
  await ann.button("Stand stay on 20").waitFor();
  expect(await ann.page.getByText("over 21 you lose").count()).toBe(0);
  await ann.keys("s");
  await ann.reads("Your 20 beats dealer’s 17");
  // Another game is new again.
  await ann.page.goto(`${here.house.address}/table/war-1`);
  await ann.sit(1);
  await ann.reads("Pick a chip below and tap the glowing circle.");
});
