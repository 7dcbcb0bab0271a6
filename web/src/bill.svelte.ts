import type { ResultView } from "./wire";

/** What became of everything that somebody had on a box. */
export interface Bill {
  whose: string;
  lines: (ResultView & { title: string })[];
}

/** The bill that is open for reading. */
export const open = $state<{ bill: Bill | null }>({ bill: null });

export function openBill(bill: Bill): void {
  open.bill = bill;
}

export function closeBill(): void {
  open.bill = null;
}
