import { called } from "../cards";
import { dollars, owed } from "../money";
import type {
  AboutTable,
  ClosedCall,
  Holds,
  OddsView,
  Offer,
  OrdersView,
  Parameter,
  Refusal,
  ResultView,
  RoundView,
  StoryLine,
  View,
  WagerLine,
} from "../wire";
import { fill, listed, say, speech } from "./text.svelte";

// What the house says in English, in the language that is spoken: by its codes, and as it is where there
// is no other word for it. In English everything stays as the house has it.

/** Words of the house by what they are and their code; null where they are known in English alone. */
function word(what: string, code: string): string | null {
  return speech.catalogue.words[`${what} ${code}`] ?? null;
}

function filled(what: string, code: string, values: Record<string, string>): string | null {
  const words = word(what, code);
  return words === null ? null : fill(words, values, speech.language);
}

/** Whether there is anything to say in other words. */
function isEnglish(): boolean {
  return speech.language === "en";
}

/** Why something is refused. */
export function refused({ code, parameters, sentence }: Refusal): string {
  const { refusals } = speech.catalogue;
  const names = Object.keys(parameters);
  const words = [refusals[code], refusals[`${code}, plain`]].find(
    (text) => text && holes(text).every((one) => names.includes(one)),
  );
  if (words === undefined) return sentence;
  const values = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, written(name, value)]));
  return fill(words, values, speech.language);
}

/** The names of what is filled into a text. */
export function holes(text: string): string[] {
  return [...text.matchAll(/\{(\w+)/g)].map(([, name = ""]) => name);
}

function written(name: string, value: Parameter): string {
  if ("amount" in value) return dollars(owed(value.amount));
  if ("count" in value) return String(value.count);
  if ("time" in value) {
    const form = new Intl.DateTimeFormat(speech.language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
    return `${form.format(value.time * 1000)} UTC`;
  }
  if (name === "card" || name === "seen") return called(value.word);
  const what = name === "one" || name === "other" ? "choice" : name;
  return word(what, value.word)?.toLowerCase() ?? value.word;
}

/** A code as people read it: `Even money`. */
const plainly = (code: string) => code.charAt(0).toUpperCase() + code.slice(1).replaceAll("-", " ");

/** What a call is called. */
export function callNamed(call: string, english = plainly(call)): string {
  return word("call", call) ?? english;
}

/** What a circle is called. */
export function circleNamed(circle: string): string {
  return word("circle", circle) ?? plainly(circle);
}

/** `3 to 2`. */
export function oddsInWords({ pays, to }: OddsView): string {
  return say("odds", { pays, to });
}

/** A table, in the language that is spoken. */
export function aboutInWords(about: AboutTable): AboutTable {
  if (isEnglish()) return about;
  return {
    ...about,
    circles: about.circles.map((one) => ({ ...one, title: word("circle", one.circle) ?? one.title })),
    pays: about.pays.map((pay) => {
      const words = word("pay", `${pay.circle} ${pay.code}`);
      return { ...pay, words: words ?? pay.words, brief: words ?? pay.brief };
    }),
    signs: about.signs.map((sign) => ({ ...sign, words: word("sign", sign.code) ?? sign.words })),
  };
}

/** What is seen of a table, in the language that is spoken. */
export function viewInWords(view: View): View {
  if (isEnglish()) return view;
  return {
    ...view,
    offers: view.offers.map(offerInWords),
    choices: view.choices.map((one) => ({ ...one, words: word("choice", one.choice) ?? one.words })),
    prompt: prompt(view),
  };
}

/** What became of a wager: `wins 3 to 2`. */
export function became({ end, odds }: Pick<ResultView, "end" | "odds">): string {
  return fill(speech.catalogue.texts[`result.${end}`], { odds: odds ? oddsInWords(odds) : "" }, speech.language);
}

/** The same where there is little room: `3 to 2`. */
export function briefly(result: Pick<ResultView, "end" | "odds">): string {
  return result.odds ? oddsInWords(result.odds) : became(result);
}

/** What so many cards of a hand make: `soft 17`; an ace alone and the first two cards that make 21 have names. */
export function holdsInWords(holds: Holds, cards = 0): string {
  if ("hard" in holds) return String(holds.hard);
  if ("soft" in holds && holds.soft === 21 && cards === 2) return say("holds.blackjack");
  if ("soft" in holds) return holds.soft === 11 ? say("holds.ace") : say("holds.soft", { total: holds.soft });
  const texts: Record<string, string> = speech.catalogue.texts;
  return texts[`holds.${holds.hand}`] ?? holds.hand;
}

function offerInWords(offer: Offer): Offer {
  const circle = offer.call === "war" ? "war-tie" : offer.call === "insure" ? "insurance" : offer.call;
  return {
    ...offer,
    words: word("call", offer.call) ?? offer.words,
    circle: offer.circle && (word("circle", circle) ?? offer.circle),
  };
}

/** What is printed on the felt beside a circle. */
export function circleInWords(circle: string, title: string): string {
  return word("circle", circle) ?? title;
}

/** Calls that are closed. */
export function closedInWords(closed: ClosedCall[]): ClosedCall[] {
  return closed.map((one) => ({ ...one, words: word("call", one.call) ?? one.words }));
}

/** What a supervisor may decide. */
export function ordersInWords(orders: OrdersView): OrdersView {
  return { ...orders, kinds: orders.kinds.map((one) => ({ ...one, words: word("kind", one.kind) ?? one.words })) };
}

/** What became of wagers of a round that is over. */
export function wagersInWords<Round extends { wagers: WagerLine[] }>(round: Round): Round {
  if (isEnglish()) return round;
  return { ...round, wagers: round.wagers.map((one) => ({ ...one, title: word("circle", one.circle) ?? one.title })) };
}

/** A round that is over. */
export function roundInWords(round: RoundView): RoundView {
  if (isEnglish()) return round;
  return {
    ...wagersInWords(round),
    about: aboutInWords(round.about),
    steps: round.steps.map((step) => ({ ...step, view: viewInWords(step.view) })),
  };
}

/** What the dealer says while the table waits. */
function prompt({ awaited, offers, trouble, prompt: english }: View): string {
  if (trouble) return refused(trouble);
  const names = awaited.seats.join(", ");
  const seats = filled("prompt", awaited.seats.length === 1 ? "seat" : "seats", { seats: names }) ?? names;
  const calls = offers.map(({ call, words }) => (word("call", call) ?? words).toLowerCase());
  if (awaited.what === "act" && calls.length > 0) {
    return filled("prompt", "act, calls", { seats, calls: calls.join(", ") }) ?? english;
  }
  return filled("prompt", awaited.what, { seats }) ?? english;
}

/** What happened, one sentence each. */
export function story(lines: readonly StoryLine[]): string[] {
  const { texts } = speech.catalogue;
  const text = (line: StoryLine) =>
    line.type === "acted" && line.timed_out ? texts["story.timed-out"] : texts[`story.${line.type}`];
  return lines.map((line) => fill(text(line), told(line), speech.language));
}

/** What is filled into the sentence of a line: every part of it as a person says it. */
function told(line: StoryLine): Record<string, string> {
  const said: Record<string, string> = {};
  for (const [name, value] of Object.entries(line)) {
    if (typeof value === "string" || typeof value === "number") said[name] = String(value);
  }
  const { words = "", title = "" } = said;
  const known = (what: string, english: string) => word(what, said[what] ?? "") ?? english;
  if ("card" in line) said.card = called(line.card);
  if ("amount" in line) said.amount = dollars(owed(line.amount));
  if ("holds" in line) said.holds = holdsInWords(line.holds);
  switch (line.type) {
    case "burn-shown":
      said.cards = listed(line.cards.map(called));
      break;
    case "not-opened":
      said.places = listed(line.places);
      break;
    case "acted":
      said.call = known("call", words).toLowerCase();
      break;
    case "settled":
      said.circle = known("circle", title).toLowerCase();
      said.end = became(line);
      said.gain = line.gain.replace("-", "−");
      break;
    case "reported":
      said.kind = known("kind", words);
      break;
    case "decision":
      said.order = known("order", words);
      break;
    case "chose":
      said.choice = known("choice", words).toLowerCase();
      break;
    default:
  }
  return said;
}
