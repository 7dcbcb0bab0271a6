import type { CardText } from "./cards";
import type { Key } from "./text/en";
import { say } from "./text/text.svelte";

/** A picture of how a game goes: cards as they lie, whose they are, and a line below. */
export interface Scene {
  hands: { whose: string; cards: CardText[] }[];
  /** A chip or a token that lies with them. */
  lies?: "chip" | "raise" | "free";
  words: string;
}

/** A line below a picture. */
type Line = Extract<Key, `intro.${string}.${number}`>;

type Whose = "you" | "dealer" | "intro.everybody" | "intro.your-hand" | "intro.blackjack" | 1 | 2;

/** Hands, what lies with them, and the line. */
type Drawn = [hands: [Whose, string][], lies: Scene["lies"], words: Line];

/** What somebody has to know who has never played a game, in a few pictures. What it pays stands on the felt. */
const SCENES: Record<string, Drawn[]> = {
  "casino-war": [
    [
      [
        ["you", "Kd"],
        ["dealer", "9s"],
      ],
      "chip",
      "intro.war.1",
    ],
    [
      [
        ["you", "9d"],
        ["dealer", "9s"],
      ],
      undefined,
      "intro.war.2",
    ],
    [
      [
        ["you", "9d Kc"],
        ["dealer", "9s 4h"],
      ],
      "raise",
      "intro.war.3",
    ],
  ],
  "double-down-stud": [
    [
      [
        ["you", "Jd"],
        ["intro.everybody", "?? Jc Td 4h"],
      ],
      "chip",
      "intro.stud.1",
    ],
    [[["you", "Jd"]], "raise", "intro.stud.2"],
    [[["intro.your-hand", "Jd Jh Jc Td 4h"]], undefined, "intro.stud.3"],
  ],
  "double-deck": [
    [
      [
        ["you", "9d 2h"],
        ["dealer", "6s ??"],
      ],
      "chip",
      "intro.deck.1",
    ],
    [[["you", "Td 3c 7h"]], undefined, "intro.deck.2"],
    [
      [
        [2, "8c 9d"],
        [1, "8h Ts"],
      ],
      "raise",
      "intro.deck.3",
    ],
    [[["intro.blackjack", "As Kd"]], undefined, "intro.deck.4"],
  ],
  "double-attack": [
    [[["dealer", "6d"]], "chip", "intro.attack.1"],
    [[["dealer", "6d"]], "raise", "intro.attack.2"],
    [
      [
        ["you", "9d 2h"],
        ["dealer", "6d"],
      ],
      undefined,
      "intro.attack.3",
    ],
  ],
  "free-bet": [
    [
      [
        ["you", "8s 8d"],
        ["dealer", "6d ??"],
      ],
      "chip",
      "intro.free.1",
    ],
    [
      [
        [2, "8d 3c"],
        [1, "8s Td"],
      ],
      "free",
      "intro.free.2",
    ],
    [[["dealer", "6d Ks 6c"]], undefined, "intro.free.3"],
  ],
};

/** The pictures of a game; none where it is not known here. */
export function scenes(game: string): Scene[] {
  return (SCENES[game] ?? []).map(([hands, lies, words]) => ({
    hands: hands.map(([whose, cards]) => ({
      whose: typeof whose === "number" ? say("intro.hand", { hand: whose }) : say(whose),
      cards: cards.split(" "),
    })),
    lies,
    words: say(words),
  }));
}

const INVITATIONS = [
  "invite.casino-war",
  "invite.double-down-stud",
  "invite.double-deck",
  "invite.double-attack",
  "invite.free-bet",
] as const;

/** What a game is, in one line. */
export function invitation(game: string): string {
  const key = INVITATIONS.find((one) => one === `invite.${game}`);
  return key ? say(key) : "";
}

/** What there is to decide, for somebody in their first hand. */
export function guide(game: string, offers: readonly { call: string }[]): string {
  const isOpen = (call: string) => offers.some((offer) => offer.call === call);
  if (game === "casino-war") return say("guide.war");
  if (game === "double-down-stud") return say("guide.stud");
  if (isOpen("attack")) return say("guide.attack");
  return say(isOpen("insure") ? "guide.insure" : "guide.blackjack");
}
