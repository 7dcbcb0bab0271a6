import type { CardText } from "../cards";
import type { ShoeRecordView } from "../wire";
import { commitmentOf } from "./contribution";
import { cut, drawnCut, keyOf, mixed, sealOf } from "./fair_order";

/** Something that was checked, and whether it is as it should be; null where it cannot be told. */
export interface Finding {
  what: string;
  isRight: boolean | null;
  words: string;
}

/** A card of the shoe: where it was to come, and what was seen there. */
export interface Place {
  card: CardText;
  /** `??` where nobody saw it, null where it was not dealt. */
  dealt: CardText | null;
  isRight: boolean;
}

export interface Checked {
  findings: Finding[];
  /** Every card in the order in which it was to leave the shoe. */
  places: Place[];
}

/** What this browser remembers of a shoe, to hold the house to it. */
export interface Remembered {
  /** The seal that it was shown before the cards were dealt. */
  seal: string | null;
  /** The bytes that it committed to. */
  bytes: string | null;
}

/**
 * Checks a shoe from its commitment to its last card, by docs/fair-order.md alone: nothing here asks
 * the house for more than what it revealed.
 */
export function check(shoe: ShoeRecordView, { seal, bytes }: Remembered): Checked {
  const findings: Finding[] = [];
  if (seal !== null) {
    findings.push({
      what: "Commitment",
      isRight: seal === shoe.seal,
      words:
        seal === shoe.seal
          ? "This is the seal that your browser was shown before the first card."
          : `Your browser was shown another seal before the first card: ${seal}.`,
    });
  }
  if (shoe.seal === "") {
    const words = "At a physical table nobody knows the order, and there is nothing to check.";
    return { findings: [...findings, { what: "Order", isRight: null, words }], places: [] };
  }
  if (bytes !== null) findings.push(ownPart(shoe, bytes));
  findings.push(...mixedBy(shoe));
  if (shoe.salt === null || shoe.order === null) {
    const words = "The order is revealed when the shoe is done with.";
    return { findings: [...findings, { what: "Order", isRight: null, words }], places: [] };
  }
  const places = placed(shoe, shoe.order);
  return { findings: [...findings, ...revealed(shoe, shoe.salt, shoe.order, places)], places };
}

/** Whether what this browser committed to is in the list, and was opened. */
function ownPart({ contributions, house, table, shoe, seal }: ShoeRecordView, bytes: string): Finding {
  const what = "Your part";
  const own = contributions.find(
    ({ at, commitment }) => commitment === commitmentOf({ house, table, shoe, seal, seat: at }, bytes),
  );
  if (own === undefined) return { what, isRight: false, words: "Your commitment was left out of the list." };
  if (own.bytes === bytes)
    return { what, isRight: true, words: "What you committed to and opened is part of the order." };
  return { what, isRight: false, words: "Your opening was not recorded; your commitment stands in for it." };
}

/** Whether every opening fits its commitment, and who did not open. */
function mixedBy({ contributions, house, table, shoe, seal, unplayed }: ShoeRecordView): Finding[] {
  const other = contributions.find(
    ({ at, bytes, commitment }) =>
      bytes !== null && commitmentOf({ house, table, shoe, seal, seat: at }, bytes) !== commitment,
  );
  const missing = contributions.filter(({ bytes }) => bytes === null).map(({ name }) => name);
  const people = contributions.length === 1 ? "1 person" : `${contributions.length} people`;
  const found: Finding = {
    what: "Mix",
    isRight: other ? false : contributions.length === 0 || missing.length > 0 ? null : true,
    words: other
      ? `What ${other.name} opened is not what they committed to.`
      : contributions.length === 0
        ? "Nobody contributed, so the order is the one that the house sealed."
        : missing.length > 0
          ? `${people} committed, and ${missing.join(", ")} did not open: whoever controls what arrives chose among at most ${2 ** contributions.length} orders.`
          : `${people} committed and opened, so the order was fixed before anybody knew it.`,
  };
  const words = `It was mixed, and retired before a round was dealt from it: ${unplayed}.`;
  return unplayed === null ? [found] : [found, { what: "Unplayed", isRight: null, words }];
}

/** What the key of the order is made of. */
const values = ({ contributions }: ShoeRecordView) => contributions.map(({ bytes, commitment }) => bytes ?? commitment);

/** Whether a cut that nobody named is the one that was drawn. */
function cutBy(shoe: ShoeRecordView): Finding {
  const { cuts, cut_least, cut_most, decks, seal } = shoe;
  const what = "Cut";
  if (cuts.length === 0) return { what, isRight: null, words: "The cards were not cut." };
  const key = keyOf(seal, values(shoe));
  const drawn = cuts.filter(({ by }) => by === null);
  const said = cuts.map(({ by, at }) => (by === null ? `${at} cards, as drawn` : `${at} cards, named by seat ${by}`));
  const words = `From the front to the back went ${said.join(", then ")}.`;
  // What is drawn for discards in mid-round comes from the key of the shoe before.
  if (decks === null || drawn.length === 0) return { what, isRight: null, words };
  const wrong = drawn.findIndex(({ at }, draw) => at !== drawnCut(key, draw, cut_least, cut_most));
  if (wrong < 0) return { what, isRight: true, words };
  const should = drawnCut(key, wrong, cut_least, cut_most);
  return {
    what,
    isRight: false,
    words: `${drawn[wrong]?.at} cards were cut, but the key of the order gives ${should}.`,
  };
}

/** Three lines: what was committed to, by whom, and what was checked. */
export function inThreeLines(shoe: ShoeRecordView, { findings }: Checked): [string, string, string] {
  const names = shoe.contributions.map(({ name, bytes }) => (bytes === null ? `${name} (not opened)` : name));
  const wrong = findings.filter(({ isRight }) => isRight === false).length;
  const right = findings.filter(({ isRight }) => isRight === true).map(({ what }) => what.toLowerCase());
  const seen = shoe.dealt.filter((card) => card !== "??").length;
  return [
    shoe.seal === ""
      ? "Nobody committed to the order: these cards are shuffled by hand."
      : `The house sealed the order of ${shoe.size} cards before anyone bet: ${shoe.seal.slice(0, 12)}…`,
    names.length === 0
      ? "Nobody else committed to anything."
      : `${names.length === 1 ? "Committed to bytes of their own" : "Each committed to bytes of their own"}: ${names.join(", ")}.`,
    wrong > 0
      ? `Your browser checked it, and ${wrong === 1 ? "one thing is" : `${wrong} things are`} wrong.`
      : shoe.order === null
        ? "Your browser has found nothing wrong so far; every card is checked when the shoe is done."
        : `Your browser checked ${right.join(", ")}: all ${seen} cards that were seen came as they had to.`,
  ];
}

const often = (count: number) => (count === 1 ? "once" : `${count} times`);

/** Whether every card is there as often as the rules have it, and no other. */
function made({ decks, size }: ShoeRecordView, order: readonly CardText[]): Finding {
  const what = "Decks";
  if (decks === null) {
    const words = `These ${size} cards were the discards of a round that ran out of cards; the log has which.`;
    return { what, isRight: order.length === size ? null : false, words };
  }
  const count = (card: CardText) => order.filter((other) => other === card).length;
  const { cards, times } = decks;
  const odd = [...new Set([...cards, ...order])].find((card) => count(card) !== (cards.includes(card) ? times : 0));
  if (odd !== undefined) {
    const words = `The ${odd} is in it ${often(count(odd))}, and should be ${often(cards.includes(odd) ? times : 0)}.`;
    return { what, isRight: false, words };
  }
  return {
    what,
    isRight: order.length === size,
    words: `Each of ${cards.length} cards is in it ${often(times)}: ${order.length} of ${size} cards.`,
  };
}

function revealed(shoe: ShoeRecordView, salt: string, order: readonly CardText[], places: Place[]): Finding[] {
  const { seal, dealt } = shoe;
  const isSealed = sealOf(salt, order) === seal;
  const wrong = places.findIndex(({ isRight }) => !isRight);
  const seen = dealt.filter((card) => card !== "??").length;
  return [
    {
      what: "Seal",
      isRight: isSealed,
      words: isSealed
        ? "Salt and order are those to which the house committed itself before anyone bet."
        : "Salt and order are not those to which the house committed itself.",
    },
    made(shoe, order),
    cutBy(shoe),
    {
      what: "Cards",
      isRight: wrong === -1 && dealt.length <= order.length,
      words:
        dealt.length > order.length
          ? "More cards were dealt than there were."
          : wrong === -1
            ? `All ${seen} cards that were seen came as this order has them; ${dealt.length - seen} lay face down.`
            : `Card ${wrong + 1} was the ${places[wrong]?.dealt}, and should have been the ${places[wrong]?.card}.`,
    },
  ];
}

function placed(shoe: ShoeRecordView, order: readonly CardText[]): Place[] {
  const { seal, cuts, dealt } = shoe;
  const lying = cuts.reduce((cards, { at }) => cut(cards, at), mixed(order, seal, values(shoe)));
  return lying.map((card, index) => {
    const came = dealt[index] ?? null;
    return { card, dealt: came, isRight: came === null || came === "??" || came === card };
  });
}
