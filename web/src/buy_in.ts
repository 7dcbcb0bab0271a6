import { type Cents, owed } from "./money";
import type { AboutTable } from "./wire";

/** How many of the smallest wagers somebody brings to a table. */
const WAGERS = 20;

/** What somebody buys chips for who sits down: enough for a while, as far as the account and the table allow. */
export function usualBuyIn({ circles, buy_in }: Pick<AboutTable, "circles" | "buy_in">, account: Cents): Cents {
  const smallest = owed(circles.find(({ circle }) => circle === "main")?.opening?.least);
  const [least, most, step] = [owed(buy_in.least), owed(buy_in.most), owed(buy_in.step)];
  const wanted = Math.min(account, most, Math.max(least, WAGERS * smallest));
  const amount = wanted - (wanted % Math.max(1, step));
  return amount >= least ? amount : 0;
}
