import { describe, expect, it } from "vitest";
import type { ReviewView } from "../src/wire";
import { misfits, smallTargets, violations } from "./access";
import { House } from "./house";
import { DESKTOP, PHONE, Player, SIDEWAYS } from "./player";
import { visit } from "./visit";

const here = visit();

/** A table with a coach before the decision, one with a coach after the round, and one without. */
const TABLES = `
  pace = { card_ms = 20, inspection_ms = 0, contributions_ms = 100 }
  [[table]]
  name = "free-1"
  game = "free-bet"
  coach = "live"
  [[table]]
  name = "deck-1"
  game = "double-deck"
  coach = "after"
  [[table]]
  name = "stud-1"
  game = "double-down-stud"
  coach = "off"
`;

async function arrive(viewport = DESKTOP): Promise<Player> {
  const ann = await here.with(Player.arrive(here.browser, here.house.address, { viewport }));
  // The cards are those of a real shoe: nobody waits for a cut.
  await ann.page.evaluate(() => localStorage.setItem("pitboss ceremony", "skip"));
  return ann;
}

/** Bets 10, as often as it takes to be asked. */
async function untilAsked(ann: Player): Promise<void> {
  for (let rounds = 0; rounds < 10; rounds++) {
    await ann.button("Deal").waitFor();
    await ann.keys("2", "2", "Enter");
    await ann.button("Deal").waitFor({ state: "detached" });
    const asked = ann.page.locator(".offer .call").first();
    await asked.or(ann.button("Deal")).first().waitFor();
    if (await asked.isVisible()) return;
  }
  throw new Error("nothing to decide in ten rounds");
}

/** Goes on until a hand is to be decided that cannot be split: then the best choice is known for certain. */
async function untilCertain(ann: Player): Promise<void> {
  for (let hands = 0; hands < 10; hands++) {
    await untilAsked(ann);
    // Insurance is asked first.
    const pass = ann.page.locator(".offer.pass .call");
    if (await pass.isVisible()) await pass.click();
    const stand = ann.page.locator(".offer.stand");
    await stand.or(ann.button("Deal")).first().waitFor();
    const isPair = (await ann.page.locator(".offer.split").count()) > 0;
    if ((await stand.isVisible()) && !isPair) return;
    await playOn(ann);
  }
  throw new Error("nothing but pairs in ten hands");
}

/** Decides until the round is over: stands, or passes. */
async function playOn(ann: Player): Promise<void> {
  for (let acts = 0; acts < 12; acts++) {
    const stand = ann.page.locator(".offer.stand .call, .offer.pass .call").first();
    await stand.or(ann.button("Deal")).first().waitFor();
    if (!(await stand.isVisible())) return;
    await ann.page.waitForTimeout(50);
    await stand.click({ timeout: 2000 }).catch(() => {});
    await ann.page.waitForTimeout(150);
  }
}

describe.each([
  ["desktop", DESKTOP],
  ["phone", PHONE],
  ["sideways", SIDEWAYS],
])("on a %s", (size, viewport) => {
  it("the coach shows what every choice is worth, beside the cards, until nobody wants it", async () => {
    here.house = await House.servedWith(TABLES);
    const ann = await arrive(viewport);
    await ann.sitDownByKeys("Free Bet");
    await untilCertain(ann);
    const bars = ann.page.locator(".worth:not(.waits)");
    await bars.first().waitFor();
    const calls = await ann.page.locator(".offer").count();
    expect(await bars.count()).toBe(calls);
    expect(await ann.page.locator(".worth.best").count()).toBe(1);
    expect((await ann.page.locator(".bar p.why").innerText()).length).toBeGreaterThan(10);
    // A screen reader hears the same.
    await ann.page.getByText(/^best choice, worth .* on average/).waitFor({ state: "attached" });
    await ann.picture(`${size}-coach`);
    expect(await misfits(ann)).toEqual([]);
    expect(await violations(ann)).toEqual([]);
    expect(await smallTargets(ann, 24)).toEqual([]);
    await ann.keys("v");
    await bars.first().waitFor({ state: "detached" });
    expect(await ann.button("Coach").getAttribute("aria-pressed")).toBe("false");
    await ann.page.reload();
    await ann.page.locator(".offer").first().waitFor();
    expect(await ann.page.locator(".worth").count()).toBe(0);
    await ann.keys("v");
    await bars.first().waitFor();
    await playOn(ann);
    await ann.reads(/Luck: /);
    await ann.picture(`${size}-coach-after`);
    expect(await misfits(ann)).toEqual([]);
    expect(await violations(ann)).toEqual([]);
  });
});

it("the coach is silent before decisions where it speaks after them, and everywhere without one", async () => {
  here.house = await House.servedWith(TABLES);
  const ann = await arrive();
  await ann.sitDownByKeys("Double Deck");
  await ann.button("Coach, after the round").waitFor();
  await untilAsked(ann);
  expect(await ann.page.locator(".worth, .bar p.why").count()).toBe(0);
  await playOn(ann);
  await ann.reads(/Luck: /);
  await ann.page.goto(`${here.house.address}/table/stud-1`);
  await ann.reads("Take a seat to play:");
  await ann.keys("1");
  await ann.reads("No coach at this table");
  await ann.button("Deal").waitFor();
  await ann.keys("2", "2", "Enter");
  await ann.button("Double 10").waitFor();
  expect(await ann.page.locator(".worth").count()).toBe(0);
  await ann.keys("n");
  await ann.button("Rebet").waitFor();
  expect(await ann.page.getByText(/Luck: /).count()).toBe(0);
});

describe.each([
  ["desktop", DESKTOP],
  ["phone", PHONE],
])("on a %s", (size, viewport) => {
  it("a played session is reviewed: what decisions cost, what was luck, and each round again", async () => {
    here.house = await House.servedWith(TABLES);
    const ann = await arrive(viewport);
    await ann.sitDownByKeys("Free Bet");
    // Whoever always stands makes mistakes.
    for (let rounds = 0; rounds < 8; rounds++) {
      await untilAsked(ann);
      await playOn(ann);
    }
    await ann.page.goto(`${here.house.address}/review`);
    await ann.reads("The most expensive decisions");
    await ann.page.locator(".costly .card").first().waitFor();
    const { rounds } = await ann.page.evaluate(async () => {
      const answer = await fetch("/api/review?limit=25");
      return (await answer.json()) as ReviewView;
    });
    expect(rounds.length).toBeGreaterThanOrEqual(8);
    for (const { net, review } of rounds) {
      if (!review) throw new Error("every round is reviewed");
      expect(review.expectation + review.play + review.luck).toBeCloseTo(Number(net), 6);
    }
    const figure = async (name: string) => {
      const text = await ann.page.locator(".sums > div", { hasText: name }).locator("dd").first().innerText();
      return Math.round(100 * Number(text.replace("−", "-").replaceAll(",", "")));
    };
    const parts = [await figure("Your choices cost"), await figure("Cost of the game"), await figure("Luck")];
    expect(parts.reduce((sum, part) => sum + part)).toBe(await figure("Won or lost"));
    expect(await violations(ann)).toEqual([]);
    expect(await smallTargets(ann, 24)).toEqual([]);
    const width = await ann.page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
    await ann.picture(`${size}-review`, true);
    await ann.page.getByRole("link", { name: "Look again" }).first().waitFor();
    // A decision whose best choice is known for certain: no pair that may be split, and no insurance.
    const certain = rounds.flatMap(({ table, round, review }) => {
      const place = (review?.decisions ?? []).findIndex(({ field }) => field !== null && !/\bpairs\b/.test(field));
      return place < 0 ? [] : [{ path: `/rounds/${table}/${round}`, place }];
    })[0];
    if (!certain) throw new Error("nothing but pairs in eight hands");
    await ann.page.locator(`a[href="${certain.path}"]`).first().click();
    const mark = ann.page.locator(".steps ol .mark").nth(certain.place);
    await mark.click();
    await ann.page.locator(".decision .worth.best").waitFor();
    expect(await violations(ann)).toEqual([]);
    await ann.picture(`${size}-replay-reviewed`, true);
  });
});
