import type { CardText } from "./cards";
import type { PayView } from "./wire";

/** An example of what is paid: a hand, or hands that are compared. */
export interface Picture {
  hands: { whose: string; cards: CardText[] }[];
}

const hands = (...named: [whose: string, cards: string][]): Picture => ({
  hands: named.map(([whose, cards]) => ({ whose, cards: cards.split(" ") })),
});

const versus = (you: string, dealer: string) => hands(["You", you], ["Dealer", dealer]);
const five = (cards: string) => hands(["Your card and the four", cards]);
const dealer = (cards: string) => hands(["Dealer", cards]);

/** Examples, by the clause that pays and what the line begins with. */
const PICTURES: [clause: string, what: string, picture: Picture][] = [
  ["CW-9-a-1", "", versus("Kd", "9s")],
  ["CW-9-a-2", "a tie on the original", versus("9d", "9s")],
  ["CW-9-a-2", "a tie on the war", versus("9d 4c", "9s 4h")],
  ["CW-9-a-3", "a war card", versus("9d Kc", "9s 4h")],
  ["CW-9-a-3", "a war that", versus("9d 4c", "9s 4h")],
  ["CW-11-c-T6", "", versus("9d", "9s")],
  ["CW-11-c-T5", "", versus("9d", "9d")],
  ["CW-11-c-T4", "", versus("9d 4c", "9s 4h")],
  ["CW-11-c-T3", "", versus("9d 9c", "9s 9h")],
  ["CW-11-c-T2", "", versus("9d 4c", "9d 4c")],
  ["CW-11-c-T1", "", versus("9d 9d", "9d 9d")],
  ["DDS-10-b-T1", "", five("As Ks Qs Js Ts")],
  ["DDS-10-b-T2", "", five("9h 8h 7h 6h 5h")],
  ["DDS-10-b-T3", "", five("7c 7d 7h 7s Kd")],
  ["DDS-10-b-T4", "", five("Qc Qd Qs 4h 4c")],
  ["DDS-10-b-T5", "", five("Kd Jd 8d 5d 2d")],
  ["DDS-10-b-T6", "", five("Tc 9d 8s 7h 6c")],
  ["DDS-10-b-T7", "", five("5c 5h 5s Kd 2c")],
  ["DDS-10-b-T8", "", five("Ah Ac 6d 6s 9c")],
  ["DDS-10-b-T9", "", five("Jc Jd 8s 5h 2c")],
  ["DAB-6-d-2-T5", "", dealer("9c 7d 6s")],
  ["DAB-6-d-2-T4", "", dealer("9c 6d 7s")],
  ["DAB-6-d-2-T3", "", dealer("9c 6d 8s")],
  ["DAB-6-d-2-T2", "", dealer("8c 6d 9s")],
  ["DAB-6-d-2-T1", "", dealer("9c 6d Ks")],
  ["DAB-6-d-3-T1", "", dealer("8h 8d 8h")],
  ["DAB-6-d-3-T2", "", dealer("8h 8h 8h")],
  ["FBB-10-c-T1", "", dealer("6h Kh 6h")],
  ["FBB-10-c-T2", "", dealer("6h Kd 6h")],
  ["FBB-10-c-T3", "", dealer("6h Ks 6c")],
];

/** Examples that the blackjacks share, by the circle and what the line begins with. */
const BLACKJACK: [circle: string, what: string, picture: Picture][] = [
  ["main", "a blackjack", versus("As Kd", "9s 8h")],
  ["main", "a hand", versus("Jd 9c", "Ks 8h")],
  ["insurance", "", dealer("Ad Kc")],
];

/** What a line of a pay table looks like; null where there is no picture of it. */
export function picture({ circle, what, clause }: PayView): Picture | null {
  const ofClause = PICTURES.find(([id, words]) => id === clause && what.startsWith(words));
  const shared = BLACKJACK.find(([name, words]) => name === circle && what.startsWith(words));
  return (ofClause ?? shared)?.[2] ?? null;
}
