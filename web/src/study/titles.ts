import type { Key } from "../text/en";
import { callNamed } from "../text/of_house";
import { say } from "../text/text.svelte";
import type { ChartCell, ChartView } from "../wire";

type ChartKey = Exclude<Extract<Key, `chart.${string}`>, "chart.page" | "chart.field" | "chart.soft-row">;

const TITLES: Record<string, ChartKey> = {
  hard: "chart.hard",
  soft: "chart.soft",
  pairs: "chart.pairs",
  attack: "chart.attack",
  tie: "chart.tie",
  hand: "chart.hand",
  free: "chart.free",
  split: "chart.split",
  doubled: "chart.doubled",
};

const titled = (word: string) => (TITLES[word] ? say(TITLES[word]) : word);

/** The title of a table of a strategy: `hard`, or `free hard`. */
export function chartTitle(table: string): string {
  const [first = "", second] = table.split(" ");
  return second ? say("chart.page", { table: titled(second), page: titled(first) }) : titled(first);
}

/** What a row is for: a total, a pair, or what the cards are. */
export function rowTitle(table: string, row: string): string {
  const letter = row === "T" ? "10" : row;
  if (table.endsWith("pairs")) return `${letter},${letter}`;
  if (table === "attack" || table === "tie") return say("chart.any");
  return row;
}

/** The same where the table is not seen beside it: `soft 18`. */
export function handTitle(table: string, row: string): string {
  return table.endsWith("soft") ? say("chart.soft-row", { row }) : rowTitle(table, row);
}

/** A field by its name: `hard 16 T`. */
export function fieldTitle(name: string): string {
  const words = name.split(" ");
  const up = words.at(-1) ?? "";
  if (!/^[2-9TA]$/.test(up) || words.length < 3) return words.slice(1).join(" ");
  const [row = "", table] = [words.at(-2), words.slice(0, -2).join(" ")];
  return say("chart.field", { table: chartTitle(table), row: rowTitle(table, row), up: up === "T" ? "10" : up });
}

/** A cell of a chart, with the name of its field and what it says: `16 against 10: Hit`. */
export interface NamedCell {
  cell: ChartCell;
  name: string;
  title: string;
}

/** The cells of a chart, row by row. */
export function cellsOf({ table, ups, rows }: ChartView): NamedCell[][] {
  return rows.map(({ row, cells }) => {
    const hand = handTitle(table, row);
    return cells.map((cell, column) => {
      const up = ups[column];
      const against = up ? say("odds.against", { hand, up: up === "T" ? "10" : up }) : hand;
      const calls = cell.calls.map((call) => callNamed(call)).join(" / ");
      return { cell, name: [table, row, ...(up ? [up] : [])].join(" "), title: `${against}: ${calls}` };
    });
  });
}
