import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, it } from "vitest";
import { misfits, smallTargets, violations } from "./access";
import { House } from "./house";
import { DESKTOP, LAPTOP, LOW_PHONE, PHONE, Player, SMALL_PHONE, TABLET } from "./player";
import { visit } from "./visit";

const here = visit();

describe.each<[string, BrowserContextOptions, number]>([
  ["a desktop", { viewport: DESKTOP }, 24],
  ["a phone", { viewport: PHONE, hasTouch: true }, 44],
  ["a small phone", { viewport: SMALL_PHONE, hasTouch: true }, 44],
])("on %s", (_, options, target) => {
  it("the table is accessible and fits, at every moment of a round, in light and dark", async () => {
    here.house = await House.open("9d 9h 2c 2d 2h Kc 4h");
    const ann = await Player.arrive(here.browser, here.house.address, options);
    const check = async (moment: string) => {
      expect(await violations(ann), moment).toEqual([]);
      expect(await misfits(ann), moment).toEqual([]);
      expect(await smallTargets(ann, target), moment).toEqual([]);
    };
    await ann.watch("Casino War").waitFor();
    expect(await violations(ann)).toEqual([]);
    await ann.watch("Casino War").click();
    await ann.reads("Take a seat to play:");
    await check("before a seat is taken");
    await ann.sit(1);
    await ann.button("Buy chips").click();
    await ann.page.getByLabel("Chips for").waitFor();
    await check("buying in");
    await ann.button("Not now").click();
    await ann.put("Tie", 5);
    await ann.put("Progressive", 5);
    await check("chips that are not placed");
    await ann.button("Deal").click();
    await ann.page.getByRole("alert").waitFor();
    await check("a refusal");
    await ann.bet(5, 5);
    await ann.reads("It is your decision.");
    await check("the decision");
    await ann.page.getByLabel(/War tie/).fill("500");
    await ann.button("Go to war 10").click();
    await ann.button("Rebet").waitFor();
    await ann.box(1).getByText("wins 1 to 1").first().waitFor();
    await check("the results");
    for (const viewport of [LOW_PHONE, LAPTOP, TABLET]) {
      await ann.page.setViewportSize(viewport);
      await expect.poll(() => misfits(ann)).toEqual([]);
    }
    await ann.leave();
  });
});

it("several hands fit on a phone while they are played and when they are paid", async () => {
  // A king for the dealer; threes, split: a nine and a jack are too many, a king and a five are not.
  here.house = await House.open("Ks 3c 3d 9d Jh Kc 5h 7s");
  const ann = await Player.arrive(here.browser, here.house.address, { viewport: PHONE });
  await ann.sitDownByKeys("Double Attack");
  const bob = await Player.enterGame("Double Attack", here.browser, here.house.address);
  await bob.sit(2);
  await ann.keys("2", "ArrowRight", "2", "Enter");
  await bob.button("Sit out").click();
  await ann.button("Double attack 5").waitFor();
  await ann.keys("a");
  await ann.button("Split 5").waitFor();
  await ann.keys("p");
  await ann.button("Stand").waitFor();
  await ann.box(1).getByRole("group", { name: "Hand 2 of 2" }).waitFor();
  expect(await misfits(ann)).toEqual([]);
  await ann
    .button(/^Double/)
    .first()
    .waitFor();
  await ann.keys("d");
  await ann.box(1).getByText("13", { exact: true }).waitFor();
  await ann.keys("d");
  await ann.box(1).getByText("18", { exact: true }).waitFor();
  await ann.button("Hit").waitFor({ state: "detached" });
  await ann.button("Stand").waitFor();
  await ann.keys("s");
  await ann.button("Rebet").waitFor();
  await expect.poll(() => misfits(ann)).toEqual([]);
  await ann.picture("phone-split-results");
  await Promise.all([ann.leave(), bob.leave()]);
});
