import { chance } from "./chance";
import type {
  BackupView,
  Bankroll,
  BookView,
  ClauseView,
  ClosedCall,
  Events,
  Me,
  NewPerson,
  OddsLine,
  OpenTable,
  OrdersView,
  People,
  PersonView,
  Refusal,
  ReviewedRound,
  ReviewView,
  Role,
  RoundLine,
  RoundsView,
  RoundView,
  ShoeRecordView,
  Statistics,
  SupervisorCommand,
  TokenView,
  TrainingAnswer,
  TrainingView,
  TrainingWanted,
  ValuesView,
} from "./wire";
import { refused } from "./text/of_house";
import { say } from "./text/text.svelte";

/** What the acts are worth that are open to us. */
export function values(table: string): Promise<ValuesView> {
  return get<ValuesView>(`/api/tables/${encodeURIComponent(table)}/values`);
}

/** What our decisions cost, the latest round first. */
export async function review(before: number | null, limit: number): Promise<ReviewView> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (before !== null) query.set("before", String(before));
  return get<ReviewView>(`/api/review?${query}`);
}

/** What our decisions in a round cost; null where it was not ours. */
export async function reviewOf(table: string, round: number): Promise<ReviewedRound | null> {
  const query = new URLSearchParams({ table, round: String(round) });
  const { rounds } = await get<ReviewView>(`/api/review?${query}`);
  return rounds[0] ?? null;
}

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

export function tables(): Promise<OpenTable[]> {
  return get<OpenTable[]>("/api/tables");
}

/** One table, also a private one, which is in no list. */
export function table(name: string): Promise<OpenTable> {
  return get<OpenTable>(`/api/tables/${encodeURIComponent(name)}`);
}

/** Opens a table of a game for whoever gets its link, with terms that are not as by default. */
export function openPrivately(game: string, terms: Record<string, string>): Promise<OpenTable> {
  return post<OpenTable>("/api/tables", { game, terms });
}

/** What play has come to for us. */
export function statistics(): Promise<Statistics> {
  return get<Statistics>("/api/me/statistics");
}

/** Takes another name, as a guest. */
export function rename(name: string): Promise<Me> {
  return post<Me>("/api/me/name", { name });
}

/** Why the other calls of a game are closed to us, while we are asked. */
export function closedCalls(table: string): Promise<ClosedCall[]> {
  return get<ClosedCall[]>(`/api/tables/${encodeURIComponent(table)}/closed-calls`);
}

const clauses = new Map<string, Promise<ClauseView>>();

/** What a clause says. Asked once; a failure may be asked again. */
export function clause(id: string): Promise<ClauseView> {
  const known = clauses.get(id);
  if (known) return known;
  const asked = get<ClauseView>(`/api/clause/${encodeURIComponent(id)}`);
  clauses.set(id, asked);
  asked.catch(() => clauses.delete(id));
  return asked;
}

/** A page of rounds, the latest first: our own, or those of somebody whom we watch over. */
export async function rounds(
  before: number | null,
  player: string | null,
  table: string | null = null,
): Promise<RoundsView> {
  const query = new URLSearchParams();
  if (before !== null) query.set("before", String(before));
  if (player !== null) query.set("player", player);
  if (table !== null) query.set("table", table);
  return get<RoundsView>(`/api/rounds?${query}`);
}

/** Somebody's rounds at a table after one, the latest first. */
export async function roundsSince(table: string, player: string, round: number): Promise<RoundLine[]> {
  const found: RoundLine[] = [];
  for (let before: number | null = null; ;) {
    const page: RoundsView = await rounds(before, player, table);
    const later = page.rounds.filter((one) => one.round > round);
    found.push(...later);
    if (page.before === null || later.length < page.rounds.length) return found;
    before = page.before;
  }
}

/** A round as we saw it. */
export function round(table: string, number: number): Promise<RoundView> {
  return get<RoundView>(`/api/rounds/${table}/${number}`);
}

/** What there is to check of a shoe. */
export function shoe(table: string, number: number): Promise<ShoeRecordView> {
  return get<ShoeRecordView>(`/api/shoes/${table}/${number}`);
}

/** Entries of a table's log, as text, and whether they are of the log itself or of the copy under pseudonyms. */
export async function log(table: string, from: number, to: number): Promise<{ text: string; isCopy: boolean }> {
  const answer = await fetch(`/api/export/${table}?from=${from}&to=${to}`);
  const isCopy = answer.headers.get("pitboss-names") === "pseudonyms";
  return answer.ok ? { text: await answer.text(), isCopy } : answered(answer);
}

/** Our money over time. */
export function bankroll(): Promise<Bankroll> {
  return get<Bankroll>("/api/me/bankroll");
}

/** Makes an account; a guest keeps the money, and without a name the name too. */
export function signUp(name: string | null, password: string): Promise<Me> {
  return post<Me>("/api/account", name === null ? { password } : { name, password });
}

export function logIn(name: string, password: string): Promise<Me> {
  return post<Me>("/api/login", { name, password });
}

export function logOut(everywhere: boolean): Promise<unknown> {
  return post("/api/logout", { everywhere });
}

/** Sets limits of our own; null takes one away after a day. */
export function limit(limits: { loss: string | null } | { minutes: number | null }): Promise<Me> {
  return post<Me>("/api/me/limits", limits);
}

/** Excludes us from play until a moment, which nobody can bring forward. */
export function exclude(until: number): Promise<Me> {
  return post<Me>("/api/me/exclusion", { until });
}

/** Asks for more play money. */
export function refill(): Promise<Me> {
  return post<Me>("/api/cashier", {});
}

/** The book of a game. */
export function rules(game: string): Promise<BookView> {
  return get<BookView>(`/api/rules/${encodeURIComponent(game)}`);
}

/** People whom the house knows, after a name. */
export function people(after = ""): Promise<People> {
  return get<People>(`/api/people?after=${encodeURIComponent(after)}`);
}

export function make(person: NewPerson): Promise<PersonView> {
  return post<PersonView>("/api/people", person);
}

export function giveRole(name: string, role: Role): Promise<PersonView> {
  return post<PersonView>(`/api/people/${encodeURIComponent(name)}/role`, { role });
}

export function givePassword(name: string, password: string): Promise<PersonView> {
  return post<PersonView>(`/api/people/${encodeURIComponent(name)}/password`, { password });
}

export function giveToken(name: string, label: string): Promise<TokenView> {
  return post<TokenView>(`/api/people/${encodeURIComponent(name)}/tokens`, { label });
}

export function revokeToken(name: string, label: string): Promise<PersonView> {
  return remove<PersonView>(`/api/people/${encodeURIComponent(name)}/tokens/${encodeURIComponent(label)}`);
}

/** Suspends somebody from play until a moment, or until the suspension is lifted. */
export function suspend(name: string, until: number | null, because: string): Promise<PersonView> {
  const body = until === null ? { because } : { until, because };
  return post<PersonView>(`/api/people/${encodeURIComponent(name)}/suspension`, body);
}

export function reinstate(name: string): Promise<PersonView> {
  return remove<PersonView>(`/api/people/${encodeURIComponent(name)}/suspension`);
}

/** Ends every session of somebody. */
export function endSessions(name: string): Promise<PersonView> {
  return remove<PersonView>(`/api/people/${encodeURIComponent(name)}/sessions`);
}

/** Significant events of the house, after one. */
export function events(after = 0): Promise<Events> {
  return get<Events>(`/api/office/events?after=${after}`);
}

/** What a supervisor may order at a table now. */
export function orders(table: string): Promise<OrdersView> {
  return get<OrdersView>(`/api/tables/${table}/orders`);
}

/** The ids of what was decided and not confirmed, by its words: sent again, it is still done once. */
const unconfirmed = new Map<string, string>();

/** Reports, orders, corrects or names a dealer, in our own name. */
export async function decide(table: string, what: SupervisorCommand): Promise<OrdersView> {
  const words = JSON.stringify([table, what]);
  const id = unconfirmed.get(words) ?? chance(16);
  unconfirmed.set(words, id);
  const now = await post<OrdersView>(`/api/tables/${table}/orders`, { id, do: what });
  unconfirmed.delete(words);
  return now;
}

/** The odds of a table, line by line as they are found; `path` is the game and what is chosen. */
export async function explore(path: string, hear: (line: OddsLine) => void, stop: AbortSignal): Promise<void> {
  const answer = await fetch(`/api/odds/${path}`, { signal: stop });
  if (!answer.ok || !answer.body) return answered(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach((line) => hear(JSON.parse(line) as OddsLine));
  }
}

/** Grades an answer, where there is one, and asks the next question of a drill. */
export function train(
  game: string,
  drill: string,
  answer: TrainingAnswer | null,
  query: Pick<TrainingWanted, "set" | "field">,
): Promise<TrainingView> {
  const body: TrainingWanted = { drill, ...query, ...(answer && { answer }) };
  return post<TrainingView>(`/api/train/${encodeURIComponent(game)}`, body);
}

/** Copies the store. */
export function backUp(): Promise<BackupView> {
  return post<BackupView>("/api/backup", {});
}

async function get<T>(path: string): Promise<T> {
  return answered<T>(await fetch(path));
}

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return answered<T>(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function remove<T>(path: string): Promise<T> {
  return answered<T>(await fetch(path, { method: "DELETE" }));
}

async function answered<T>(answer: Response): Promise<T> {
  const said = (await answer.json().catch(() => null)) as T | Refusal | null;
  if (answer.ok && said !== null) return said as T;
  throw new Error(said ? refused(said as Refusal) : say("house-says-status", { status: answer.status }));
}
