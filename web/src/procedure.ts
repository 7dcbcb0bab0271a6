import type { Do, View } from "./wire";

/** Something that a player may do about the cards between rounds, or after something went wrong. */
export interface Step {
  words: string;
  /** What the house is asked for. Made when it is asked, for no two additions are the same. */
  command: () => Do;
}

/** What is open to the viewer now besides betting, playing and cutting. */
export function procedure({ awaited, me, choices }: View): Step[] {
  if (me === null || !awaited.seats.includes(me)) return [];
  switch (awaited.what) {
    case "inspection":
      return [{ words: "The cards are in order", command: () => ({ type: "inspect" }) }];
    case "contributions":
      return [
        { words: "Add to the order", command: () => ({ type: "contribute", bytes: randomBytes() }) },
      ];
    case "choice":
      return choices.map((choice) => ({
        words: sentence(choice),
        command: () => ({ type: "choose", choice }),
      }));
    default:
      return [];
  }
}

/** 32 bytes that nobody can foresee, in hexadecimal. */
function randomBytes(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `no-more-cards` as on a button. */
function sentence(choice: string): string {
  const words = choice.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
