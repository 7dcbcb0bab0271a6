import { parse } from "svelte/compiler";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../src/text/en";
import es from "../src/text/es";
import { became, holdsInWords, holes, refused, story, viewInWords } from "../src/text/of_house";
import { fill, speech, wanted } from "../src/text/text.svelte";
import type { Parameter } from "../src/wire";
import { view } from "./view";

/** What the rules and the documents have, by their path. */
const others = import.meta.glob<string>(
  [
    "../../crates/rules/src/refusal.rs",
    "../../crates/rules/src/table/refusal.rs",
    "../../crates/rules/src/table/pit/refusal.rs",
    "../../crates/rules/src/wager.rs",
    "../../crates/rules/src/round.rs",
    "../../crates/rules/src/table/pit/order.rs",
    "../../crates/rules/src/games/double_down_stud.rs",
    "../../docs/refusals.md",
  ],
  { query: "?raw", import: "default", eager: true },
);

function read(path: string): string {
  const text = others[`../../${path}`];
  if (text === undefined) throw new Error(`there is no ${path}`);
  return text;
}

/** What is filled in, without order. */
const filledIn = (text: string) => [...new Set(holes(text))].sort();

describe("Spanish", () => {
  it("has the texts of English, with the same things filled in", () => {
    expect(Object.keys(es.texts)).toEqual(Object.keys(en));
    for (const [key, text] of Object.entries(en)) {
      const other = es.texts[key as keyof typeof en];
      expect(other.trim(), key).not.toBe("");
      expect(filledIn(other), key).toEqual(filledIn(text));
      expect(other.split("*").length, key).toBe(text.split("*").length);
    }
  });

  /** Every refusal of the rules with its parameters, as its source has them in one line each. */
  const ofRules = ["refusal.rs", "table/refusal.rs", "table/pit/refusal.rs"].flatMap((path) =>
    [...read(`crates/rules/src/${path}`).matchAll(/^ {8}"([a-z-]+)" \w+(?: \{ ([^}]*) \})? "/gm)].map(
      ([, code = "", fields = ""]) => ({ code, parameters: [...fields.matchAll(/(\w+):/g)].map(([, name]) => name) }),
    ),
  );

  it("has every refusal of the rules, and fills in nothing that they do not name", () => {
    expect(ofRules.length).toBeGreaterThan(120);
    for (const { code, parameters } of ofRules) {
      expect(es.refusals, code).toHaveProperty([code]);
      for (const hole of holes(es.refusals[code] ?? "")) expect(parameters, code).toContain(hole);
    }
  });

  it("has every refusal of the house, and no other", () => {
    const ofHouse = [...read("docs/refusals.md").matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code = ""]) => code);
    expect(ofHouse.length).toBeGreaterThan(100);
    for (const code of ofHouse) expect(es.refusals, code).toHaveProperty([code]);
    const known = new Set([...ofHouse, ...ofRules.map(({ code }) => code)]);
    expect(Object.keys(es.refusals).filter((code) => !known.has(code.replace(", plain", "")))).toEqual([]);
  });

  /** The names of an enum of the rules. */
  const named = (path: string, name: string) => {
    const [, list = ""] = new RegExp(`\\n {4}${name} \\{\\n([\\s\\S]*?)\\n {4}\\}`).exec(read(path)) ?? [];
    return [...list.matchAll(/^ {8}\w+ "([a-z0-9-]+)"/gm)].map(([, one]) => one);
  };

  it("has every circle and call of the rules", () => {
    const circles = named("crates/rules/src/wager.rs", "Circle");
    const calls = named("crates/rules/src/round.rs", "Call");
    expect([circles.length, calls.length].every((count) => count > 9)).toBe(true);
    for (const one of circles) expect(es.words).toHaveProperty([`circle ${one}`]);
    for (const one of calls) expect(es.words).toHaveProperty([`call ${one}`]);
  });

  it("has every order that the dealer announces", () => {
    const orders = [...read("crates/rules/src/table/pit/order.rs").matchAll(/\(Order::\w+, "([a-z-]+)", "/g)];
    expect(orders.length).toBeGreaterThan(15);
    for (const [, one] of orders) expect(es.words).toHaveProperty([`order ${one}`]);
  });

  it("has every poker hand of the rules", () => {
    const hands = named("crates/rules/src/games/double_down_stud.rs", "Category");
    expect(hands.length).toBeGreaterThan(8);
    for (const one of hands) expect(en).toHaveProperty([`holds.${one}`]);
  });
});

describe("spoken Spanish", () => {
  const before = { language: speech.language, catalogue: speech.catalogue };
  beforeAll(() => void Object.assign(speech, { language: "es", catalogue: es }));
  afterAll(() => void Object.assign(speech, before));

  it("says what became of a wager", () => {
    expect(became({ end: "pay-and-collect", odds: { pays: 3, to: 2 } })).toBe("gana 3 a 2, se retira la apuesta");
    expect(became({ end: "take-half", odds: null })).toBe("pierde la mitad");
  });

  it("says what cards make", () => {
    expect([{ hard: 17 }, { soft: 17 }, { soft: 11 }, { hand: "two-pair" }].map(holdsInWords)).toEqual([
      "17",
      "17 blando",
      "as",
      "dobles parejas",
    ]);
  });

  it("says each trouble of a table in its own words, where the dealer speaks too", () => {
    const trouble = (code: string, parameters: Record<string, Parameter> = {}) =>
      viewInWords(view({ trouble: { code, parameters, source: { type: "house" }, sentence: "x" } })).prompt;
    expect(trouble("table-disk-full")).toBe(
      "Las apuestas están en pausa: el disco está lleno. Tus fichas están a salvo.",
    );
    expect(trouble("table-failed", { times: { count: 4 }, seconds: { count: 60 } })).toBe(
      "Esta mesa está cerrada: falló 4 veces en 60 segundos. Tus fichas están a salvo.",
    );
    expect(trouble("table-damaged")).toBe("Esta mesa está cerrada: su registro está dañado. Tus fichas están a salvo.");
  });

  it("tells what happened by codes, with amounts, cards and calls in its own words", () => {
    const settled = { type: "settled", at: "1", circle: "tie", title: "Tie" } as const;
    expect(
      story([
        { ...settled, end: "pay", odds: { pays: 10, to: 1 }, gain: "+50" },
        { ...settled, end: "take-half", odds: null, gain: "-2.50" },
        { type: "card", seat: 2, card: "9d" },
        { type: "acted", at: "2b", call: "double", words: "Double", timed_out: false },
        { type: "hand-total", seat: 3, hand: 2, holds: { soft: 17 } },
        { type: "not-opened", places: ["1", "5"] },
        { type: "decision", order: "void", words: "The round is void." },
        { type: "committed", players: 1 },
        { type: "bought-in", at: "1", amount: "1500" },
      ]),
    ).toEqual([
      "Puesto 1, empate: gana 10 a 1 (+50).",
      "Puesto 1, empate: pierde la mitad (−2.50).",
      "Puesto 2: nueve de diamantes.",
      "Puesto 2b: doblar.",
      "Puesto 3, mano 2: 17 blando.",
      "Sin abrir: el compromiso del puesto 1 y 5.",
      "La ronda queda anulada.",
      "1 jugador se compromete con el orden.",
      "El puesto 1 compra fichas por 1,500.",
    ]);
  });
});

describe("a text", () => {
  it("is filled in, and chooses by a number", () => {
    expect(fill("{rounds} {rounds:round|rounds} of {table}", { rounds: 1, table: "war-1" }, "en")).toBe(
      "1 round of war-1",
    );
    expect(fill(en["log.told"], { entries: 3 }, "en")).toBe("3 entries that your browser saw earlier are in it.");
    expect(fill(en["log.told"], { entries: 1 }, "en")).toBe("An entry that your browser saw earlier is in it.");
  });

  it("is in the language that was chosen, or else in the first one that the browser knows", () => {
    expect(wanted("en", ["es-MX"])).toBe("en");
    expect(wanted(null, ["de-DE", "es-MX", "en"])).toBe("es");
    expect(wanted("tlh", ["de"])).toBe("en");
  });

  it("of what happened is written here in English too, with the words of the house for its calls", () => {
    const circle = { circle: "main", title: "Initial wager" };
    expect(
      story([
        { type: "acted", at: "2", call: "war", words: "Go to war", timed_out: false },
        { type: "settled", at: "2", ...circle, end: "push", odds: null, gain: "+0" },
        { type: "drawn", card: "As" },
        { type: "committed", players: 3 },
        { type: "decision", order: "void", words: "The round is void." },
      ]),
    ).toEqual([
      "Seat 2: go to war.",
      "Seat 2, initial wager: push (+0).",
      "The ace of spades has left the shoe.",
      "3 players commit to the order.",
      "The round is void.",
    ]);
  });

  it("of a refusal is the house's own in English", () => {
    const sentence = "The table minimum is 5.";
    expect(
      refused({
        code: "below-table-minimum",
        parameters: { least: { amount: "5" } },
        source: { type: "house" },
        sentence,
      }),
    ).toBe(sentence);
  });
});

/** Files of the page that may not say anything by themselves. */
const files = Object.entries(
  import.meta.glob<string>(["../src/**/*.{svelte,ts}", "!../src/wire.ts", "!../src/text/{en,es,en_*,es_*}.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

/** A word that people read: what has a small letter after another letter, and is no code. */
const isWords = (text: string) => /[A-Za-zÀ-ÿ]{2}/.test(text);

/** Names that are the same in every language. */
const NAMES = ["Pitboss", "pitboss check", "pitboss verify", ".log", "--head"];

/** Attributes that somebody reads or hears. */
const READ = [
  "aria-label",
  "aria-valuetext",
  "aria-description",
  "title",
  "placeholder",
  "alt",
  "label",
  "what",
  "words",
];

/** Strings of code in which words stand apart from each other, as sentences do. */
function sentences(code: string): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile("x.ts", code, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node) => {
    const text =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
        ? node.text
        : "";
    if (/(^|[a-z,] )[A-Z]?[a-z]+[ ,][a-z]+.*[.?!:…]$|^[A-Z][a-z]+( [a-z]+)+$/.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What a component writes by itself. */
function literals(code: string): string[] {
  const found: string[] = [];
  const { fragment } = parse(code, { modern: true });
  const visit = (node: unknown, isRead: boolean): void => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, isRead));
    if (typeof node !== "object" || node === null) return;
    const { type, name, data, value, ...rest } = node as Record<string, unknown>;
    if (type === "Text" && isRead && isWords(String(data))) found.push(String(data).trim());
    if (type === "Attribute") return READ.includes(String(name)) ? visit(value, true) : undefined;
    if (type === "Literal" || type === "TemplateElement") return;
    visit(value, isRead);
    for (const [key, part] of Object.entries(rest)) if (!["parent", "metadata"].includes(key)) visit(part, isRead);
  };
  visit(fragment, true);
  return found.filter(
    (text) => !NAMES.includes(text) && !NAMES.some((name) => text.replaceAll(name, "").replace("·", "").trim() === ""),
  );
}

describe("no file of the page has a text of its own", () => {
  it("finds one where there is one", () => {
    expect(literals('<p title="Buy chips">{x}<b>Deal</b></p>')).toEqual(["Buy chips", "Deal"]);
    expect(sentences('const x = isOn ? "It is your choice." : `Waiting for ${y}.`; const z = "a b";')).toEqual([
      "It is your choice.",
    ]);
  });

  it.each(files)("%s", (path, code) => {
    if (path.endsWith(".svelte")) {
      expect(literals(code)).toEqual([]);
      const [, script = ""] = /<script[^>]*>([\s\S]*?)<\/script>/.exec(code) ?? [];
      expect(sentences(script)).toEqual([]);
      const template = code.replace(/<(script|style)[\s\S]*?<\/\1>/g, "");
      for (const [, expression = ""] of template.matchAll(/\{([^{}#:@/][^{}]*)\}/g)) {
        expect(sentences(`(${expression})`)).toEqual([]);
      }
    } else {
      expect(sentences(code)).toEqual([]);
    }
  });
});

/** Something that the house says in English, taken apart or compared. */
const SAID = String.raw`(\.(words|brief|sentence|prompt)|\b(sentence|english))\b`;
const TAKEN_APART = new RegExp(
  String.raw`${SAID}(\??\.(match|replace|split|starts|ends|includes|indexOf|slice|search)| ?[!=]== ?["'\x60/])` +
    String.raw`|\.(exec|test)\([^)]*${SAID}`,
);

describe("the page never reads a sentence of the house", () => {
  it("finds where it would", () => {
    expect("/^wins/.exec(result.words)").toMatch(TAKEN_APART);
    expect('view.prompt.startsWith("No")').toMatch(TAKEN_APART);
    expect('refusal.sentence === "Watch a table first."').toMatch(TAKEN_APART);
  });

  it.each(files)("%s", (_, code) => expect(code).not.toMatch(TAKEN_APART));
});

it("every text is used somewhere", () => {
  const code = files.map(([, text]) => text).join("\n");
  const isUsed = (key: string) => {
    const [, begins = ""] = /^(.*\.)[^.]+$/.exec(key) ?? [];
    return code.includes(`"${key}"`) || (begins !== "" && code.includes(`\`${begins}\${`));
  };
  const ranks = /^ranks?\./;
  expect(Object.keys(en).filter((key) => !isUsed(key) && !ranks.test(key))).toEqual([]);
});
