import { type Cents, cents, owed, wire } from "./money";
import type { CircleView, OnCircle, WagerView } from "./wire";

/** What lies, or is about to lie, on each circle. Circles without chips are left out. */
export type Slip = ReadonlyMap<string, Cents>;

export const EMPTY: Slip = new Map();

/** A slip from what the house says lies there. */
export function read(wagers: readonly Pick<WagerView, "circle" | "amount">[]): Slip {
  return wagers.reduce((slip, { circle, amount }) => add(slip, circle, owed(amount)), EMPTY);
}

/** A slip as the house wants it. */
export function write(slip: Slip): OnCircle[] {
  return [...slip].map(([circle, amount]) => ({ circle, amount: wire(amount) }));
}

/** The slip with so much more, or less, on a circle; never less than nothing. */
export function add(slip: Slip, circle: string, amount: Cents): Slip {
  const sum = Math.max(0, (slip.get(circle) ?? 0) + amount);
  const next = new Map(slip);
  if (sum > 0) next.set(circle, sum);
  else next.delete(circle);
  return next;
}

export function doubled(slip: Slip): Slip {
  return new Map([...slip].map(([circle, amount]) => [circle, 2 * amount]));
}

export function total(slip: Slip): Cents {
  return [...slip.values()].reduce((sum, amount) => sum + amount, 0);
}

export function isSame(one: Slip, other: Slip): boolean {
  return one.size === other.size && [...one].every(([circle, sum]) => other.get(circle) === sum);
}

/**
 * Whether the house's own limits leave a slip worth sending by itself. It says nothing of what else
 * may be wrong with it: that only the house knows, and a slip may always be sent to hear it.
 */
export function isWithinLimits(slip: Slip, circles: readonly CircleView[]): boolean {
  return circles.every(({ circle, opening }) => {
    const amount = slip.get(circle) ?? 0;
    if (amount === 0) return !opening?.required;
    if (!opening) return false;
    const [least, most, step] = [opening.least, opening.most, opening.step].map(cents);
    if (least == null || most == null || !step) return false;
    return least <= amount && amount <= most && amount % step === 0;
  });
}
