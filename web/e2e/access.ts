import axe from "axe-core";
import type { Player } from "./player";

const EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe has against the page as it is now, in light and in dark; there only colours differ. */
export async function violations(player: Player): Promise<string[]> {
  const { page } = player;
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await against(player, ["color-contrast"]);
  await page.emulateMedia({ colorScheme: "light" });
  return [...dark.map((found) => `dark: ${found}`), ...(await against(player, EVERYTHING))];
}

async function against({ page }: Player, rules: string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (runOnly) => {
    const checked = await (window as unknown as { axe: typeof axe }).axe.run({ runOnly });
    return checked.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, rules);
}

/** Targets that are smaller than a finger, or than a mouse needs. */
export async function smallTargets({ page }: Player, least: number): Promise<string[]> {
  return page.evaluate((size) => {
    const targets = [
      ...document.querySelectorAll<HTMLElement>(
        ".bar button:not(.clause), .bar input, .top button, .top nav a, .spot, .page button:not(.clause, .steps ol *), .page .button, .page input",
      ),
    ];
    return targets.flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      const isTarget = target.tagName !== "DIV" && width > 0;
      return isTarget && (width < size || height < size) ? [`${target.outerHTML} ${width} ${height}`] : [];
    });
  }, least);
}

/** What is written on the felt. */
const LABELS = ".felt :is(.holds, .gain, .chips b, .under .title, .under .words, .plate span, .sum, .line, .pays div)";

/** What does not fit: a page that scrolls, or something that lies outside its part of the page. */
export async function misfits({ page }: Player): Promise<string[]> {
  return page.evaluate((LABELS) => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) found.push("it scrolls");
    for (const [part, inside] of [
      [".felt", ".box, .line, .dealer"],
      [".top", ".top *"],
      [".bar", ".bar button, .bar input"],
      [".box.mine", ".box.mine .card, .box.mine .spot, .box.mine .plate"],
    ] as const) {
      const room = document.querySelector(part)?.getBoundingClientRect();
      for (const element of document.querySelectorAll(inside)) {
        const { top, bottom, left, right, width } = element.getBoundingClientRect();
        if (!room || width === 0) continue;
        const fits =
          top >= room.top - 1 && bottom <= room.bottom + 1 && left >= room.left - 1 && right <= room.right + 1;
        if (!fits) found.push(`${part} ${element.className} ${element.textContent}`);
      }
    }
    for (const words of document.querySelectorAll(".own .words")) {
      const { width } = words.getBoundingClientRect();
      if (width > 2 && words.scrollWidth > Math.ceil(width)) found.push(`cut off: ${words.textContent}`);
    }
    // No label may touch another: the total of a hand, what lies on a circle and its title, names and racks.
    const labels = [...document.querySelectorAll<HTMLElement>(LABELS)].flatMap((label) => {
      const { top, bottom, left, right, width, height } = label.getBoundingClientRect();
      const text = label.innerText.trim();
      return width > 2 && height > 2 && text !== "" ? [{ top, bottom, left, right, text, label }] : [];
    });
    labels.forEach((one, index) =>
      labels.slice(index + 1).forEach((other) => {
        const [across, down] = [
          Math.min(one.right, other.right) - Math.max(one.left, other.left),
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
        ];
        const isPart = one.label.contains(other.label) || other.label.contains(one.label);
        if (across > 2 && down > 2 && !isPart) found.push(`labels touch: ${one.text} and ${other.text}`);
      }),
    );
    const dealer = document.querySelector(".line")?.getBoundingClientRect();
    const boxes = [...document.querySelectorAll(".box")].map((box) => box.getBoundingClientRect());
    if (dealer && boxes.some(({ top, width }) => width > 0 && top < dealer.bottom - 1)) {
      found.push("a box lies on the dealer's line");
    }
    boxes.forEach((one, index) =>
      boxes.slice(index + 1).forEach((other) => {
        const apart =
          one.right <= other.left + 1 ||
          other.right <= one.left + 1 ||
          one.bottom <= other.top + 1 ||
          other.bottom <= one.top + 1;
        if (!apart) found.push("boxes lie on each other");
      }),
    );
    return found;
  }, LABELS);
}
