import type { CardText } from "./cards";
import type { PayView } from "./wire";

/** Whose cards they are, as a text of the page. */
type Whose = "you" | "dealer" | "intro.your-card-and-four";

/** An example of what is paid: a hand, or hands that are compared. */
export interface Picture {
  hands: { whose: Whose; cards: CardText[] }[];
}

const hands = (...named: [whose: Whose, cards: string][]): Picture => ({
  hands: named.map(([whose, cards]) => ({ whose, cards: cards.split(" ") })),
});

const versus = (you: string, dealer: string) => hands(["you", you], ["dealer", dealer]);
const five = (cards: string) => hands(["intro.your-card-and-four", cards]);
const dealer = (cards: string) => hands(["dealer", cards]);

/** Examples, by the circle and the code of the line. */
const PICTURES: Record<string, Record<string, Picture>> = {
  main: {
    won: versus("Kd", "9s"),
    "hand-won": versus("Jd 9c", "Ks 8h"),
    natural: versus("As Kd", "9s 8h"),
    "royal-flush": five("As Ks Qs Js Ts"),
    "straight-flush": five("9h 8h 7h 6h 5h"),
    "four-of-a-kind": five("7c 7d 7h 7s Kd"),
    "full-house": five("Qc Qd Qs 4h 4c"),
    flush: five("Kd Jd 8d 5d 2d"),
    straight: five("Tc 9d 8s 7h 6c"),
    "three-of-a-kind": five("5c 5h 5s Kd 2c"),
    "two-pair": five("Ah Ac 6d 6s 9c"),
    pair: five("Jc Jd 8s 5h 2c"),
  },
  tie: { tie: versus("9d", "9s") },
  war: { "war-won": versus("9d Kc", "9s 4h"), "war-tied": versus("9d 4c", "9s 4h") },
  "war-tie": { "war-tie": versus("9d 4c", "9s 4h") },
  progressive: {
    tie: versus("9d", "9s"),
    "suited-tie": versus("9d", "9d"),
    "double-tie": versus("9d 4c", "9s 4h"),
    "four-of-a-kind": versus("9d 9c", "9s 9h"),
    "suited-double-tie": versus("9d 4c", "9d 4c"),
    "suited-four-of-a-kind": versus("9d 9d", "9d 9d"),
  },
  insurance: { insurance: dealer("Ad Kc") },
  bonus: {
    "bust-six": dealer("9c 7d 6s"),
    "bust-seven": dealer("9c 6d 7s"),
    "bust-eight": dealer("9c 6d 8s"),
    "bust-nine": dealer("8c 6d 9s"),
    "bust-ten": dealer("9c 6d Ks"),
    "coloured-eights": dealer("8h 8d 8h"),
    "suited-eights": dealer("8h 8h 8h"),
  },
  push22: {
    "suited-22": dealer("6h Kh 6h"),
    "coloured-22": dealer("6h Kd 6h"),
    "other-22": dealer("6h Ks 6c"),
  },
};

/** What a line of a pay table looks like; null where there is no picture of it. */
export function picture({ circle, code }: PayView): Picture | null {
  return PICTURES[circle]?.[code] ?? null;
}
