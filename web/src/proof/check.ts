import type { CardText } from "../cards";
import type { ShoeRecordView } from "../wire";
import { commitmentOf } from "./contribution";
import { cut, drawnCut, keyOf, mixed, sealOf } from "./fair_order";
import { say } from "../text/text.svelte";

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
      what: say("check.commitment"),
      isRight: seal === shoe.seal,
      words: seal === shoe.seal ? say("check.same-seal") : say("check.other-seal", { seal }),
    });
  }
  if (shoe.seal === "") {
    const words = say("check.physical");
    return { findings: [...findings, { what: say("check.order"), isRight: null, words }], places: [] };
  }
  if (bytes !== null) findings.push(ownPart(shoe, bytes));
  findings.push(...mixedBy(shoe));
  if (shoe.salt === null || shoe.order === null) {
    const words = say("check.later");
    return { findings: [...findings, { what: say("check.order"), isRight: null, words }], places: [] };
  }
  const places = placed(shoe, shoe.order);
  return { findings: [...findings, ...revealed(shoe, shoe.salt, shoe.order, places)], places };
}

/** Whether what this browser committed to is in the list, and was opened. */
function ownPart({ contributions, house, table, shoe, seal }: ShoeRecordView, bytes: string): Finding {
  const what = say("check.own");
  const own = contributions.find(
    ({ at, commitment }) => commitment === commitmentOf({ house, table, shoe, seal, seat: at }, bytes),
  );
  if (own === undefined) return { what, isRight: false, words: say("check.own-left-out") };
  if (own.bytes === bytes) return { what, isRight: true, words: say("check.own-in") };
  return { what, isRight: false, words: say("check.own-unrecorded") };
}

/** Whether every opening fits its commitment, and who did not open. */
function mixedBy({ contributions, house, table, shoe, seal, recut_by, unplayed }: ShoeRecordView): Finding[] {
  const other = contributions.find(
    ({ at, bytes, commitment }) =>
      bytes !== null && commitmentOf({ house, table, shoe, seal, seat: at }, bytes) !== commitment,
  );
  const missing = contributions.filter(({ bytes }) => bytes === null).map(({ name }) => name);
  const people = contributions.length;
  const found: Finding = {
    what: say("check.mix"),
    isRight: other ? false : contributions.length === 0 || missing.length > 0 ? null : true,
    words: other
      ? say("check.mix-other", { name: other.name })
      : contributions.length === 0
        ? say("check.mix-nobody")
        : missing.length > 0
          ? say("check.mix-missing", { people, names: missing.join(", "), orders: 2 ** people })
          : say("check.mix-all", { people }),
  };
  if (recut_by !== null) found.words += ` ${recut_by}: ${say("orders.recut")}`;
  if (unplayed === null) return [found];
  const why = `${unplayed}: ${say("orders.unplayed")}`;
  return [found, { what: say("check.unplayed"), isRight: null, words: why }];
}

/** What the key of the order is made of. */
const values = ({ contributions }: ShoeRecordView) => contributions.map(({ bytes, commitment }) => bytes ?? commitment);

/** Whether a cut that nobody named is the one that was drawn. */
function cutBy(shoe: ShoeRecordView): Finding {
  const { cuts, cut_least, cut_most, decks, seal } = shoe;
  const what = say("check.cut");
  if (cuts.length === 0) return { what, isRight: null, words: say("check.not-cut") };
  const key = keyOf(seal, values(shoe));
  const drawn = cuts.filter(({ by }) => by === null);
  const said = cuts.map(({ by, at }) =>
    by === null ? say("check.cut-drawn", { cards: at }) : say("check.cut-named", { cards: at, seat: by }),
  );
  const words = say("check.cut-went", { cuts: said.join(say("check.cut-then")) });
  // What is drawn for discards in mid-round comes from the key of the shoe before.
  if (decks === null || drawn.length === 0) return { what, isRight: null, words };
  const wrong = drawn.findIndex(({ at }, draw) => at !== drawnCut(key, draw, cut_least, cut_most));
  if (wrong < 0) return { what, isRight: true, words };
  const should = drawnCut(key, wrong, cut_least, cut_most);
  return {
    what,
    isRight: false,
    words: say("check.cut-wrong", { cards: drawn[wrong]?.at ?? 0, should }),
  };
}

/** Three lines: what was committed to, by whom, and what was checked. */
export function inThreeLines(shoe: ShoeRecordView, { findings }: Checked): [string, string, string] {
  const names = shoe.contributions.map(({ name, bytes }) =>
    bytes === null ? say("check.not-opened", { name }) : name,
  );
  const wrong = findings.filter(({ isRight }) => isRight === false).length;
  const right = findings.filter(({ isRight }) => isRight === true).map(({ what }) => what.toLowerCase());
  const seen = shoe.dealt.filter((card) => card !== "??").length;
  return [
    shoe.seal === "" ? say("check.by-hand") : say("check.sealed", { cards: shoe.size, seal: shoe.seal.slice(0, 12) }),
    names.length === 0
      ? say("check.nobody-else")
      : say("check.committed", { people: names.length, names: names.join(", ") }),
    wrong > 0
      ? say("check.found-wrong", { things: wrong })
      : shoe.order === null
        ? say("check.found-nothing")
        : say("check.found-right", { checked: right.join(", "), cards: seen }),
  ];
}

const often = (count: number) => say("check.often", { times: count });

/** Whether every card is there as often as the rules have it, and no other. */
function made({ decks, size }: ShoeRecordView, order: readonly CardText[]): Finding {
  const what = say("check.decks");
  if (decks === null) {
    const words = say("check.discards", { cards: size });
    return { what, isRight: order.length === size ? null : false, words };
  }
  const count = (card: CardText) => order.filter((other) => other === card).length;
  const { cards, times } = decks;
  const odd = [...new Set([...cards, ...order])].find((card) => count(card) !== (cards.includes(card) ? times : 0));
  if (odd !== undefined) {
    const should = often(cards.includes(odd) ? times : 0);
    const words = say("check.odd", { card: odd, often: often(count(odd)), should });
    return { what, isRight: false, words };
  }
  return {
    what,
    isRight: order.length === size,
    words: say("check.made", { kinds: cards.length, often: often(times), there: order.length, cards: size }),
  };
}

function revealed(shoe: ShoeRecordView, salt: string, order: readonly CardText[], places: Place[]): Finding[] {
  const { seal, dealt } = shoe;
  const isSealed = sealOf(salt, order) === seal;
  const wrong = places.findIndex(({ isRight }) => !isRight);
  const seen = dealt.filter((card) => card !== "??").length;
  return [
    {
      what: say("check.seal"),
      isRight: isSealed,
      words: isSealed ? say("check.seal-right") : say("check.seal-wrong"),
    },
    made(shoe, order),
    cutBy(shoe),
    {
      what: say("check.cards"),
      isRight: wrong === -1 && dealt.length <= order.length,
      words:
        dealt.length > order.length
          ? say("check.too-many")
          : wrong === -1
            ? say("check.all-came", { seen, unseen: dealt.length - seen })
            : say("check.other-card", {
                place: wrong + 1,
                dealt: places[wrong]?.dealt ?? "",
                card: places[wrong]?.card ?? "",
              }),
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
