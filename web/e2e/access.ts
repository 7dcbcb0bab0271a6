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
    const targets = [...document.querySelectorAll<HTMLElement>(".bar button:not(.clause), .bar input, .top button, .top nav a, .spot, .page button:not(.clause, .steps ol *), .page .button, .page input")];
    return targets.flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      const isTarget = target.tagName !== "DIV" && width > 0;
      return isTarget && (width < size || height < size) ? [`${target.outerHTML} ${width} ${height}`] : [];
    });
  }, least);
}
