import type { RoundsView, RoundView, ShoeRecord } from "./recall";
import type { BookView, ClauseView, Me, OpenTable } from "./wire";

/** Who we are to the house; null where it does not know us. */
export async function me(): Promise<Me | null> {
  const answer = await fetch("/api/me");
  if (answer.status === 401) return null;
  return answered<Me>(answer);
}

/** Comes in as a guest, or is known again. */
export async function enter(): Promise<void> {
  await answered(await fetch("/api/guest", { method: "POST" }));
}

export async function tables(): Promise<OpenTable[]> {
  return answered<OpenTable[]>(await fetch("/api/tables"));
}

const clauses = new Map<string, Promise<ClauseView>>();

/** What a clause says. Asked once; a failure may be asked again. */
export function clause(id: string): Promise<ClauseView> {
  const known = clauses.get(id);
  if (known) return known;
  const asked = fetch(`/api/clause/${encodeURIComponent(id)}`).then((answer) =>
    answered<ClauseView>(answer),
  );
  clauses.set(id, asked);
  asked.catch(() => clauses.delete(id));
  return asked;
}

/** A page of our own rounds, the latest first. */
export async function rounds(before: string | null): Promise<RoundsView> {
  const from = before === null ? "" : `&before=${encodeURIComponent(before)}`;
  return answered<RoundsView>(await fetch(`/api/rounds?player=me${from}`));
}

/** A round as we saw it. */
export async function round(table: string, number: number): Promise<RoundView> {
  return answered<RoundView>(await fetch(`/api/rounds/${table}/${number}`));
}

/** What there is to check of a shoe. */
export async function shoe(table: string, number: number): Promise<ShoeRecord> {
  return answered<ShoeRecord>(await fetch(`/api/shoes/${table}/${number}`));
}

/** The book of a game. */
export async function rules(game: string): Promise<BookView> {
  return answered<BookView>(await fetch(`/api/rules/${encodeURIComponent(game)}`));
}

async function answered<T>(answer: Response): Promise<T> {
  const said = (await answer.json().catch(() => null)) as (T & { sentence?: string }) | null;
  if (answer.ok && said !== null) return said;
  throw new Error(said?.sentence ?? `The house answered ${answer.status}.`);
}
