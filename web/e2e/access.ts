import axe from "axe-core";
import type { Player } from "./player";

/** What axe has against the page as it is now. */
export async function violations({ page }: Player): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const checked = await (window as unknown as { axe: typeof axe }).axe.run({ runOnly: tags });
    return checked.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
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
