import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { House } from "./house";
import { DESKTOP, Player } from "./player";
import { visit } from "./visit";

const here = visit();

/** Comes to a table where things move, and sits down there. */
async function seated(title: string, cards: string, ...options: string[]): Promise<Player> {
  here.house = await House.open(cards, ...options);
  const arriving = Player.arrive(here.browser, here.house.address, {
    viewport: DESKTOP,
    reducedMotion: "no-preference",
  });
  const ann = await here.with(arriving);
  await ann.sitDownByKeys(title);
  return ann;
}

/** Everything that moves from now on: what it is, and which properties change. */
async function watchMotion(page: Page): Promise<() => Promise<{ what: string; changes: string[] }[]>> {
  await page.evaluate(() => {
    const seen = new Map<string, Set<string>>();
    Object.assign(window, { seen });
    const look = () => {
      for (const motion of document.getAnimations()) {
        const effect = motion.effect as KeyframeEffect | null;
        const what = effect?.target?.getAttribute("class") ?? "";
        const frames = effect?.getKeyframes() ?? [];
        const changes = seen.get(what) ?? new Set();
        for (const frame of frames) {
          for (const name of Object.keys(frame)) {
            if (!["offset", "computedOffset", "easing", "composite"].includes(name)) changes.add(name);
          }
        }
        seen.set(what, changes);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  return () =>
    page.evaluate(() => {
      const { seen } = window as unknown as { seen: Map<string, Set<string>> };
      return [...seen].map(([what, changes]) => ({ what, changes: [...changes] }));
    });
}

it("cards fly and are swept, chips are paid or taken, and only by transform and opacity", async () => {
  // 20 against 17: paid. Then 17 against 20: taken.
  const ann = await seated("Double Deck", "Kd Ts Qh 7c Kc Th 7h Qs");
  const moved = await watchMotion(ann.page);
  await ann.keys("3", "Enter");
  await ann.button("Stand stay on 20").click();
  await ann.reads("Your 20 beats dealer’s 17");
  await ann.button("Rebet").click();
  await ann.button("Deal").click();
  await ann.button("Stand stay on 17").click();
  await ann.reads("Dealer 20 beats your 17");
  const all = await moved();
  const cards = all.filter(({ what }) => what.startsWith("card "));
  expect(
    cards.some(({ what }) => !what.includes("ghost")),
    "cards fly",
  ).toBe(true);
  expect(
    cards.some(({ what }) => what.includes("ghost")),
    "cards are swept",
  ).toBe(true);
  expect(
    all.some(({ what }) => /chips.*ghost/.test(what)),
    "chips slide",
  ).toBe(true);
  const allowed = ["transform", "opacity", "rotate", "translate", "scale"];
  for (const { what, changes } of all) for (const one of changes) expect(allowed, what).toContain(one);
  // When everything has come to rest, no copy is left.
  await expect.poll(() => ann.page.locator(".ghost").count()).toBe(0);
});

it("any key skips what moves, and a natural has its moment while a loss has none", async () => {
  const ann = await seated("Double Deck", "Ad Ts Kh 7c Kc Th 7h Qs");
  await ann.keys("3", "Enter");
  await ann.page.locator(".felt.great").waitFor();
  await ann.reads("Blackjack pays 3 to 2");
  await ann.keys("Shift");
  expect(await ann.page.evaluate(() => document.getAnimations().length)).toBe(0);
  await ann.button("Rebet").click();
  await ann.button("Deal").click();
  await ann.button("Stand stay on 17").click();
  await ann.reads("Dealer 20 beats your 17");
  expect(await ann.page.locator(".felt.great").count()).toBe(0);
});

it("nothing shifts in a round, from the first chip to the next one", async () => {
  const ann = await seated("Double Deck", "Kd Ts Qh 7c");
  await ann.page.evaluate(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Entry[]) {
        if (entry.hadRecentInput) continue;
        const where = entry.sources.map(({ node }) => (node as Element | null)?.className ?? "");
        shifts.push({ value: entry.value, where: where.join(", ") });
      }
    }).observe({ type: "layout-shift" });
  });
  await ann.keys("3", "Enter");
  await ann.button("Stand stay on 20").click();
  await ann.reads("Your 20 beats dealer’s 17");
  await ann.page.waitForTimeout(1_000);
  await ann.keys("3");
  await ann.page.waitForTimeout(1_000);
  const shifts = await ann.page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  // A hand that gets its second card moves by half of it; nothing else does.
  expect(sum, JSON.stringify(shifts)).toBeLessThan(0.005);
});

interface Entry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

interface Shift {
  value: number;
  where: string;
}

interface TraceEvent {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  tdur?: number;
  tid: number;
  pid: number;
  args?: { name?: string };
}

/** How long a frame is, in microseconds. */
const FRAME = 1_000_000 / 60;

/** Events of a trace that are script, or layout and style. */
const WORK = [
  "FunctionCall",
  "EvaluateScript",
  "RunMicrotasks",
  "TimerFire",
  "FireAnimationFrame",
  "EventDispatch",
  "Layout",
  "UpdateLayoutTree",
];

/** What script and layout took in each sixtieth of a second while something was done, in milliseconds. */
async function frames(page: Page, during: () => Promise<void>): Promise<number[]> {
  const categories = ["devtools.timeline", "devtools.timeline.frame", "disabled-by-default-devtools.timeline"];
  await here.browser.startTracing(page, { categories });
  await during();
  const { traceEvents: events } = JSON.parse(String(await here.browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const busiest = (pid: number) => events.filter((event) => event.pid === pid && event.name === "Layout").length;
  const [main] = events
    .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
    .sort((one, other) => busiest(other.pid) - busiest(one.pid));
  if (!main) throw new Error("the trace has no page");
  const work = events
    .filter(({ pid, tid, ph, name }) => pid === main.pid && tid === main.tid && ph === "X" && WORK.includes(name))
    // The time of the thread: what else a machine does meanwhile does not count.
    .map(({ ts, dur = 0, tdur = dur }) => ({ from: ts, to: ts + tdur }))
    .sort((one, other) => one.from - other.from);
  // What happens inside of something else counts once.
  const apart: { from: number; to: number }[] = [];
  for (const one of work) {
    const last = apart.at(-1);
    if (last && one.from < last.to) last.to = Math.max(last.to, one.to);
    else apart.push(one);
  }
  const [first = 0, last = 0] = [apart[0]?.from, apart.at(-1)?.to];
  return Array.from({ length: Math.ceil((last - first) / FRAME) }, (_, index) => {
    const [from, to] = [first + index * FRAME, first + (index + 1) * FRAME];
    return apart.reduce((sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0) / 1000;
  });
}

/** The most that script and layout may take in a frame, in milliseconds. */
const BUDGET = 4;

it("what moves costs the page nothing, and only what is new takes time, on a slow machine", async () => {
  const ann = await seated("Double Deck", "Kd Ts Qh 7c", "--pace", "400", "--contributions", "0");
  const session = await ann.context.newCDPSession(ann.page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const took = await frames(ann.page, async () => {
    // Nothing is looked for meanwhile, which would be script too.
    for (const [key, wait] of [
      ["3", 1_000],
      ["Enter", 4_500],
      ["s", 4_500],
    ] as const) {
      await ann.page.keyboard.press(key);
      await ann.page.waitForTimeout(wait);
    }
  });
  await ann.reads("Your 20 beats dealer’s 17");
  const busy = took.filter((one) => one > 0).toSorted((one, other) => one - other);
  const at = (share: number) => busy[Math.min(busy.length - 1, Math.floor(share * busy.length))] ?? 0;
  const [half, most, longest] = [at(0.5), at(0.95), at(1)];
  const within = busy.filter((one) => one <= BUDGET).length / busy.length;
  console.log(
    `${busy.length} of ${took.length} frames have work: half within ${half.toFixed(2)} ms, 95% within ` +
      `${most.toFixed(2)}, the longest ${longest.toFixed(2)}; ${(100 * within).toFixed(1)}% within ${BUDGET}`,
  );
  // A card on its way and a chip that slides are the compositor's: most frames in between have no work at all.
  expect(took.length).toBeGreaterThan(300);
  expect(busy.length / took.length).toBeLessThan(0.5);
  expect(half).toBeLessThan(BUDGET);
  // What is over it draws what is new: a card, a choice, a result.
  expect(within).toBeGreaterThan(0.5);
});
