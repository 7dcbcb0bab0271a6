import { type Cents, owed } from "./money";
import type { AmountsView } from "./wire";

/** A chip, in the colour that is customary for its value. */
export interface Chip {
  value: Cents;
  colour: "white" | "red" | "green" | "black" | "purple";
  key: string;
}

export const CHIPS: readonly Chip[] = [
  { value: 1_00, colour: "white", key: "1" },
  { value: 5_00, colour: "red", key: "2" },
  { value: 25_00, colour: "green", key: "3" },
  { value: 100_00, colour: "black", key: "4" },
  { value: 500_00, colour: "purple", key: "5" },
];

/** The chip that most people bet. */
const USUAL = 5_00;

/** The chip in hand at first: one of them is a wager, where there is such a chip. */
export function firstChip(opening: AmountsView | null): Cents {
  const [least, most] = [Math.max(USUAL, owed(opening?.least)), owed(opening?.most)];
  const within = CHIPS.filter(({ value }) => most === 0 || value <= most);
  return (within.find(({ value }) => value >= least) ?? within.at(-1))?.value ?? USUAL;
}

const FROM_LARGEST = CHIPS.toReversed();

/** An amount as a stack of as few chips as can be, the largest at the bottom; coins are left out. */
export function stack(amount: Cents): Chip[] {
  let left = amount;
  return FROM_LARGEST.flatMap((chip) => {
    const count = Math.floor(left / chip.value);
    left -= count * chip.value;
    return Array<Chip>(count).fill(chip);
  });
}

/** What lies on top of the stack, to be taken back first. */
export function top(amount: Cents): Cents {
  return stack(amount).at(-1)?.value ?? amount;
}
