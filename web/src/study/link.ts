/** A table that is explored, as its link has it. */
export interface Table {
  /** What is chosen otherwise than by default, by the name of the option. */
  set: ReadonlyMap<string, string>;
  /** How many of each card are gone. */
  gone: ReadonlyMap<string, number>;
}

/** What is looked at on the page of a table; nothing is empty. */
export interface Looked {
  /** The wager, as {@link wagerName} has it. */
  wager: string;
  /** The field of the strategy: `hard 16 T`. */
  field: string;
}

/** What tells a wager from all others: its circle, and how it is played where there are several ways. */
export const wagerName = ({ bet, policy }: { bet: string; policy: string }) =>
  policy === "any" ? bet : `${bet} ${policy}`;

/** Reads what follows the question mark; what makes no sense is left to the house to refuse. */
export function readLink(search: string): Table & Looked {
  const query = new URLSearchParams(search);
  const words = (name: string) => (query.get(name) ?? "").split(/\s+/).filter((word) => word !== "");
  const set = new Map(words("set").map((word) => halves(word, "=")));
  const gone = new Map<string, number>();
  for (const word of words("gone")) {
    const [card, times] = halves(word, "*");
    gone.set(card, (gone.get(card) ?? 0) + (/^\d{1,3}$/.test(times) ? Number(times) : 1));
  }
  return { set, gone, wager: query.get("wager") ?? "", field: query.get("field") ?? "" };
}

/** What follows the question mark; empty for a full shoe with default options, where nothing else is looked at. */
export function writeLink({ set, gone, wager, field }: Table & Partial<Looked>): string {
  const query = new URLSearchParams();
  const options = [...set].map(([key, value]) => `${key}=${value}`);
  const cards = [...gone].filter(([, times]) => times > 0);
  if (options.length > 0) query.set("set", options.join(" "));
  if (cards.length > 0) {
    query.set("gone", cards.map(([card, times]) => (times === 1 ? card : `${card}*${times}`)).join(" "));
  }
  if (wager) query.set("wager", wager);
  if (field) query.set("field", field);
  return query.size === 0 ? "" : `?${query}`;
}

function halves(word: string, between: string): [string, string] {
  const at = word.indexOf(between);
  return at < 0 ? [word, ""] : [word.slice(0, at), word.slice(at + 1)];
}
