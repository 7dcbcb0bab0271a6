import { isAwaited } from "./people";
import type { PlayerCommand, View } from "./wire";
import { say } from "./text/text.svelte";

/** Something that a player may do about the cards between rounds, or after something went wrong. */
export interface Step {
  words: string;
  /** What the house is asked for. */
  command: PlayerCommand;
}

/** What is open to the viewer now besides betting, playing, cutting and adding to the order. */
export function procedure(view: View): Step[] {
  const { awaited, choices } = view;
  if (!isAwaited(view)) return [];
  switch (awaited.what) {
    case "inspection":
      return [{ words: say("procedure.inspect"), command: { type: "inspect" } }];
    case "choice":
      return choices.map(({ choice, words }) => ({
        words,
        command: { type: "choose", choice },
      }));
    default:
      return [];
  }
}
