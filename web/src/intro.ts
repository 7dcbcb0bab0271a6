import type { CardText } from "./cards";
import { inOrder } from "./keys";
import { dollars, owed } from "./money";
import type { Key } from "./text/en";
import type { Offer } from "./wire";
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

/** What there is to decide, for somebody in their first hand of a game: what each call means, and costs. */
export function guide(offers: readonly Offer[]): string {
  const plays = offers.some(({ call }) => call === "hit" || call === "stand");
  return inOrder(offers)
    .flatMap((offer) => {
      const means = meaning(offer, plays);
      return means ? [say("guide.call", { call: offer.words, means })] : [];
    })
    .join(" ");
}

function meaning({ call, free, stake, amounts, loses }: Offer, plays: boolean): string {
  const amount = dollars(owed(amounts?.most ?? stake ?? loses));
  if (free) return say("guide.free");
  switch (call) {
    case "double":
      return say(plays ? "guide.double" : "guide.raise", { amount });
    case "split":
      return say("guide.split", { amount });
    case "war":
      return say("guide.war", { amount: dollars(owed(stake)) });
    case "attack":
      return say("guide.attack", { amount });
    case "insure":
      return say("guide.insure", { amount });
    case "surrender":
      return loses === null ? say("call.surrender") : say("guide.surrender", { amount });
    case "hit":
      return say("guide.hit");
    case "stand":
      return say("guide.stand");
    case "even-money":
      return say("call.even-money");
    case "pass":
      return say("call.pass");
    default:
      return "";
  }
}
