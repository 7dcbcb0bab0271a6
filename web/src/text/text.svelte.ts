import { read, write } from "../memory";
import { en, type Key } from "./en";

/** A language of the page, by its code. */
export type Language = "en" | "es";

/** The languages that there are, each by its own name. */
export const LANGUAGES: Record<Language, string> = { en: "English", es: "Español" };

/** What is known in a language besides the texts of the page: what the house says in English. */
export interface OfHouse {
  /** Refusals by their code; where one of its parameters may be missing, a second one without it by `code, none`. */
  refusals: Record<string, string>;
  /** Other words of the house by what they are and their code: `call hit`. */
  words: Record<string, string>;
}

interface Catalogue extends OfHouse {
  texts: Record<Key, string>;
}

const ENGLISH: Catalogue = { texts: en, refusals: {}, words: {} };

/** What is being spoken. */
class Speech {
  language = $state<Language>("en");
  catalogue = $state.raw<Catalogue>(ENGLISH);

  /** Speaks a language from now on. A catalogue that cannot be had leaves everything as it was. */
  async speak(language: Language): Promise<void> {
    this.catalogue = language === "en" ? ENGLISH : (await import("./es")).default;
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Speaks another language, and remembers it. */
  choose(language: Language): void {
    write("language", language);
    this.speak(language).catch(() => {});
  }

  /** Speaks what was chosen here, or what the browser asks for. */
  async begin(): Promise<void> {
    await this.speak(wanted(read("language"), navigator.languages)).catch(() => {});
  }
}

/** The language of somebody who chose one, or whose browser prefers some. */
export function wanted(chosen: string | null, preferred: readonly string[]): Language {
  const known = [chosen ?? "", ...preferred].map((one) => one.split("-")[0] ?? "");
  return (known.find((one) => one in LANGUAGES) as Language | undefined) ?? "en";
}

export const speech = new Speech();

/** The names of what is filled into a text. */
type Holes<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? Name<Hole> | Holes<Rest>
  : never;

type Name<Hole extends string> = Hole extends `${infer One}:${string}` ? One : Hole;

type Filling<K extends Key> = [Holes<(typeof en)[K]>] extends [never]
  ? []
  : [Record<Holes<(typeof en)[K]>, string | number>];

/** A text of the page, in the language that is spoken. */
export function say<K extends Key>(key: K, ...[values]: Filling<K>): string {
  return fill(speech.catalogue.texts[key], values ?? {}, speech.language);
}

const plurals = new Map<string, Intl.PluralRules>();

/** What numbers ask for in a language; made once, which takes its time. */
function pluralsOf(language: string): Intl.PluralRules {
  const rules = plurals.get(language) ?? new Intl.PluralRules(language);
  plurals.set(language, rules);
  return rules;
}

/** Fills a text in. */
export function fill(text: string, values: Record<string, string | number>, language: string): string {
  const chosen = text.replace(/\{(\w+):((?:[^{}]|\{\w+\})*)\}/g, (_, name: string, forms: string) => {
    const [one = "", many = one] = forms.split("|");
    return pluralsOf(language).select(Number(values[name])) === "one" ? one : many;
  });
  return chosen.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** `ann, bob, and cat`; a name counts once. */
export function listed(names: Iterable<string>): string {
  return new Intl.ListFormat(speech.language, { type: "conjunction" }).format(new Set(names));
}
