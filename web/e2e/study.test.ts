import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, it } from "vitest";
import { smallTargets, violations } from "./access";
import { House } from "./house";
import { DESKTOP, PHONE, Player, SIDEWAYS } from "./player";
import { visit } from "./visit";

const here = visit();

/** Solving a blackjack takes a while in a program that is built for tests. */
const SLOW = 120_000;

async function at(path: string, options?: BrowserContextOptions): Promise<Player> {
  here.house = await House.served();
  const ann = await here.with(Player.arrive(here.browser, here.house.address, options));
  await ann.page.goto(`${here.house.address}${path}`);
  return ann;
}

/** What stands in the row of a wager. */
const edge = (ann: Player, wager: string) =>
  ann.page
    .getByRole("row", { name: new RegExp(`^${wager}`) })
    .getByRole("cell")
    .first();

describe("the explorer", () => {
  it("is used by keyboard alone, and every state has a link", async () => {
    const ann = await at("/odds/casino-war");
    const { page } = ann;
    // With six decks 23 of 311 cards tie and pay 10 to 1: 11 * 23 / 311 - 1.
    await expect.poll(() => edge(ann, "Tie").textContent()).toBe("-18.650%");
    await page.getByRole("button", { name: /^2 of spades: 6 of 6 left|^two of spades: 6 of 6 left/i }).focus();
    await ann.page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).searchParams.get("gone")).toBe("3s*2");
    await page.getByText("310 of 312 cards in the shoe").waitFor();
    await expect.poll(() => edge(ann, "Tie").textContent()).not.toBe("-18.650%");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await expect.poll(() => edge(ann, "Tie").textContent()).toBe("-18.650%");
    await page.getByLabel(/Decks in the shoe/).focus();
    await page.keyboard.press("8");
    // With eight decks 31 of 415 tie: 11 * 31 / 415 - 1.
    await expect.poll(() => edge(ann, "Tie").textContent()).toBe("-17.831%");
    await page.reload();
    await expect.poll(() => edge(ann, "Tie").textContent()).toBe("-17.831%");
    await page.goBack();
    await expect.poll(() => edge(ann, "Tie").textContent()).toBe("-18.650%");
    await page.getByRole("heading", { name: /Other house options/ }).waitFor();
    await page.getByText("decks = 8").first().waitFor();
    // The wager that is looked at is in the link too, and what is explored stays as it is.
    const tie = page.getByRole("button", { name: "Tie", exact: true });
    await tie.click();
    await expect.poll(() => new URL(page.url()).searchParams.get("wager")).toBe("tie");
    expect(await page.locator("section.stale").count()).toBe(0);
    await page.reload();
    await page.getByRole("heading", { name: "How it ends: Tie" }).waitFor();
    expect(await tie.getAttribute("aria-pressed")).toBe("true");
  });

  it("refuses what cannot be in one sentence", async () => {
    const ann = await at("/odds/casino-war?set=decks%3D5");
    // A refused request is an error to the browser, and none of the page.
    ann.complaints.length = 0;
    await ann.page.getByRole("alert").getByText("CW-2-a").waitFor();
    await ann.page.goto(`${here.house.address}/odds/casino-war?gone=As*7`);
    await ann.page
      .getByRole("alert")
      .getByText(/no As is left/i)
      .waitFor();
    ann.complaints.length = 0;
  });

  it("shows what every act of a field is worth, by arrow keys", { timeout: SLOW }, async () => {
    const ann = await at("/odds/double-deck");
    const { page } = ann;
    page.setDefaultTimeout(SLOW);
    const field = page.getByRole("gridcell", { name: /^16 against 9:/ });
    await field.focus();
    const aside = page.locator("aside");
    await aside.getByText("16 against 9: Hit").waitFor();
    await aside.getByText("Hit", { exact: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await aside.getByText("16 against 10: Hit").waitFor();
    await ann.picture("explorer-desktop");
    expect(await violations(ann)).toEqual([]);
    await expect.poll(() => new URL(page.url()).searchParams.get("field")).toBe("hard 16 T");
    await page.reload();
    await aside.getByText("16 against 10: Hit").waitFor();
    expect(await page.locator("[aria-selected=true]").count()).toBe(1);
  });
});

/** The width of A4 between the margins that browsers leave, in pixels: 210 mm less twice 10 mm. */
const PAPER = { width: 718, height: 1047 };

/** What is on paper and reaches beyond it, or is cut off by what it is in. */
const cutOff = (ann: Player) =>
  ann.page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>("body *")].filter(
      (one) => one.checkVisibility() && !one.closest(".unseen, svg *"),
    );
    const isBeyond = (one: HTMLElement) => {
      const { left, right, width } = one.getBoundingClientRect();
      return width > 0 && (left < 0 || right > innerWidth + 1);
    };
    const isCut = (one: HTMLElement) =>
      getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
    return shown.filter((one) => isBeyond(one) || isCut(one)).map((one) => `${one.tagName} ${one.className}`);
  });

/** The parts of the report. */
const PARTS = [
  "What every wager is worth",
  "The best play",
  "How it ends:",
  "One card removed:",
  "Other house options:",
];

it.each(["casino-war", "double-deck"])("the explorer of %s prints as a report", { timeout: 2 * SLOW }, async (game) => {
  const ann = await at(`/odds/${game}?gone=As`, { viewport: PAPER });
  const { page } = ann;
  page.setDefaultTimeout(2 * SLOW);
  await page.getByRole("heading", { name: /^Other house options/ }).waitFor();
  const cells = page.locator("td.cell");
  await cells.first().focus();
  await expect.poll(() => page.locator(".stale, .working.shown").count(), { timeout: 2 * SLOW }).toBe(0);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  // Nothing to press, to choose or to point at, and nothing that is still being worked on.
  for (const control of ["select", "input", "summary", ".ways", ".controls", ".field", "progress", ".working"]) {
    const all = await page.locator(control).all();
    expect(await Promise.all(all.map((one) => one.isVisible())), control).not.toContain(true);
  }
  const read = await page.locator("article").innerText();
  for (const part of PARTS) expect(read).toContain(part);
  expect(read).toMatch(/[−-]\d+\.\d{3}%/);
  expect(read).toContain("Removed: As");
  expect(read).not.toMatch(/…|Coming in a moment/);
  // Each act has a colour of its own, which is printed, and a letter or a word; axe tells whether it can be read.
  const fields = await cells.evaluateAll((all) =>
    all.map((one) => {
      const { backgroundColor, printColorAdjust } = getComputedStyle(one);
      return {
        act: one.classList[1] ?? "",
        backgroundColor,
        printColorAdjust,
        mark: one.querySelector("[aria-hidden]")?.textContent ?? "",
      };
    }),
  );
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter(({ mark, printColorAdjust }) => mark.trim() === "" || printColorAdjust !== "exact")).toEqual([]);
  const colours = new Map(fields.map(({ act, backgroundColor }) => [act, backgroundColor]));
  expect(new Set(colours.values()).size).toBe(colours.size);
  expect(await violations(ann)).toEqual([]);
  expect(await cutOff(ann)).toEqual([]);
  await ann.picture(`explorer-print-${game}`, true);
  expect((await page.pdf({ format: "A4" })).subarray(0, 5).toString()).toBe("%PDF-");
});

describe("the trainer", () => {
  it("asks, grades with what a mistake costs, and keeps the sum", async () => {
    const ann = await at("/train/casino-war");
    const { page } = ann;
    await page.getByText("What do you do?").waitFor();
    await page.keyboard.press("w");
    await page.getByText("Right: War.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("What do you do?").waitFor();
    await page.keyboard.press("u");
    await page.getByText(/Surrender costs 0\.\d{4} of a wager/).waitFor();
    await page.getByText("1 of 2 right so far").waitFor();
    await page.reload();
    await page.getByText(/2 answers, 50\.0% right/).waitFor();
    // Nothing to count where all ranks are alike.
    expect(await page.getByRole("button", { name: "Running count" }).count()).toBe(0);
  });

  it("begins with the decision that a link names", { timeout: SLOW }, async () => {
    const ann = await at("/train/double-deck?field=hard+16+T");
    const { page } = ann;
    page.setDefaultTimeout(SLOW);
    await page.getByText("What do you do?").waitFor();
    // What is asked is told by the cards alone.
    expect(await page.getByText("16 against 10").count()).toBe(0);
    await page.getByText("Dealer", { exact: true }).waitFor();
    const points = async (row: number) => {
      const cards = page.locator(".cloth .row").nth(row).locator(".card");
      const names = await cards.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
      const words = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
      const rank = (name: string) => words.indexOf(name.toLowerCase().split(" ")[0] ?? "") + 1 || 10;
      return names.map(rank).reduce((sum, one) => sum + one, 0);
    };
    expect([await points(0), await points(1)]).toEqual([10, 16]);
    await page.keyboard.press("h");
    await page.getByText("Hard totals: 16 against 10").waitFor();
    await ann.button("Next").click();
    await page.getByText("What do you do?").waitFor();
    await page.keyboard.press("s");
    await ann.button("Next").waitFor();
    expect(await page.getByText("Hard totals: 16 against 10").count()).toBe(0);
  });

  it("plays whole hands", async () => {
    const ann = await at("/train/double-down-stud");
    const { page } = ann;
    await page.getByText("What do you do?").waitFor();
    // The decision that was asked first stays until the hand is there.
    const dealt = page.waitForResponse(/\/api\/train\//);
    await page.getByRole("button", { name: "Whole hands" }).click();
    await dealt;
    await page.locator(".drills + p").getByText(/hand/).waitFor();
    await page.getByText("What do you do?").waitFor();
    await page.keyboard.press("n");
    await page.getByText(/The hand ends at/).waitFor();
  });

  it("drills the count, with all cards at once for whoever wants it still", { timeout: SLOW }, async () => {
    const ann = await at("/train/double-deck");
    const { page } = ann;
    page.setDefaultTimeout(SLOW);
    await page.getByRole("button", { name: "Running count" }).click();
    await page.getByRole("button", { name: "Start" }).click();
    const names = await page
      .locator(".cloth .card")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
    const adds = (name: string) =>
      /^(two|three|four|five|six)\b/i.test(name) ? 1 : /^(ten|jack|queen|king|ace)\b/i.test(name) ? -1 : 0;
    const count = names.map(adds).reduce<number>((sum, one) => sum + one, 0);
    expect(names.length).toBeGreaterThanOrEqual(8);
    await page.getByLabel("Count", { exact: true }).fill(String(count));
    await page.keyboard.press("Enter");
    await page.getByText(/✓ Right/).waitFor();
    await ann.picture("trainer-count");
  });
});

it.each<[string, BrowserContextOptions, number]>([
  ["desktop", { viewport: DESKTOP }, 24],
  ["phone", { viewport: PHONE, hasTouch: true }, 24],
  ["sideways", { viewport: SIDEWAYS, hasTouch: true }, 24],
])("both pages are accessible on a %s", async (name, options, target) => {
  const ann = await at("/odds/double-down-stud", options);
  await ann.page.getByText("two pair").first().waitFor({ timeout: SLOW });
  expect(await violations(ann)).toEqual([]);
  expect(await smallTargets(ann, target)).toEqual([]);
  const isWide = () => ann.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(await isWide()).toBe(false);
  await ann.picture(`explorer-${name}`);
  await ann.page.goto(`${here.house.address}/train/double-down-stud`);
  await ann.page.getByText("What do you do?").waitFor({ timeout: SLOW });
  await ann.picture(`trainer-${name}`);
  expect(await violations(ann)).toEqual([]);
  await ann.page.keyboard.press("d");
  await ann.button("Next").waitFor();
  expect(await violations(ann)).toEqual([]);
  expect(await smallTargets(ann, target)).toEqual([]);
  expect(await isWide()).toBe(false);
  await ann.picture(`trainer-graded-${name}`);
});
