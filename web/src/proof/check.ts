import type { CardText } from "../cards";
import type { ShoeRecordView } from "../wire";
import { cut, mixed, sealOf } from "./fair_order";

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
  /** What it added to the order. */
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
  if (bytes !== null) {
    const isThere = shoe.contributions.some((one) => one.bytes === bytes);
    findings.push({
      what: "Your part",
      isRight: isThere,
      words: isThere ? "What you added is part of the order." : "What you added is missing.",
    });
  }
  if (shoe.salt === null || shoe.order === null) {
    const words = "The order is revealed when the shoe is done with.";
    return { findings: [...findings, { what: "Order", isRight: null, words }], places: [] };
  }
  const places = placed(shoe, shoe.order);
  return { findings: [...findings, ...revealed(shoe, shoe.salt, shoe.order, places)], places };
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
  const { seal, contributions, cuts, dealt } = shoe;
  const isSealed = sealOf(salt, order) === seal;
  const wrong = places.findIndex(({ isRight }) => !isRight);
  const seen = dealt.filter((card) => card !== "??").length;
  const people = contributions.length === 1 ? "1 person" : `${contributions.length} people`;
  return [
    {
      what: "Seal",
      isRight: isSealed,
      words: isSealed
        ? "Salt and order are those to which the house committed itself before anyone bet."
        : "Salt and order are not those to which the house committed itself.",
    },
    made(shoe, order),
    {
      what: "Mix",
      isRight: null,
      words:
        contributions.length === 0
          ? "Nobody added to the order, so it was dealt as it was committed to."
          : `${people} added to it, and the order was mixed by what follows from that.`,
    },
    {
      what: "Cut",
      isRight: null,
      words:
        cuts.length === 0
          ? "The cards were not cut."
          : `${cuts.join(", then ")} cards went from the front to the back.`,
    },
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

function placed({ seal, contributions, cuts, dealt }: ShoeRecordView, order: readonly CardText[]): Place[] {
  const stirred = mixed(
    order,
    seal,
    contributions.map(({ bytes }) => bytes),
  );
  const lying = cuts.reduce((cards, at) => cut(cards, at), stirred);
  return lying.map((card, index) => {
    const came = dealt[index] ?? null;
    return { card, dealt: came, isRight: came === null || came === "??" || came === card };
  });
}
