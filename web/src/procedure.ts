import { isAwaited } from "./people";
import type { Do, View } from "./wire";

/** Something that a player may do about the cards between rounds, or after something went wrong. */
export interface Step {
  words: string;
  /** What the house is asked for. */
  command: Do;
}

/** What is open to the viewer now besides betting, playing, cutting and adding to the order. */
export function procedure(view: View): Step[] {
  const { awaited, choices } = view;
  if (!isAwaited(view)) return [];
  switch (awaited.what) {
    case "inspection":
      return [{ words: "The cards are in order", command: { type: "inspect" } }];
    case "choice":
      return choices.map((choice) => ({
        words: sentence(choice),
        command: { type: "choose", choice },
      }));
    default:
      return [];
  }
}

/** `no-more-cards` as on a button. */
function sentence(choice: string): string {
  const words = choice.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
