/** A place in the house. */
export type Route =
  | { at: "lobby" }
  | { at: "table"; table: string }
  | { at: "rules"; table: string }
  | { at: "rounds" }
  | { at: "round"; table: string; round: number }
  | { at: "log"; table: string }
  | { at: "shoe"; table: string; shoe: number }
  | { at: "review" }
  | { at: "me" }
  | { at: "office" }
  | { at: "odds"; game: string }
  | { at: "train"; game: string };

const NAME = /^[a-z0-9-]{1,64}$/;

/** The place that a path leads to; null where there is none. */
export function read(path: string): Route | null {
  const [at = "", name = "", number = "", ...more] = path.split("/").slice(1);
  const counted = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null;
  if (more.length > 0) return null;
  if (name === "" && number === "") {
    if (at === "") return { at: "lobby" };
    if (at === "rounds" || at === "review" || at === "me" || at === "office") return { at };
  }
  if (!NAME.test(name)) return null;
  if (number === "" && (at === "table" || at === "rules" || at === "log")) {
    return { at, table: name };
  }
  if (number === "" && (at === "odds" || at === "train")) return { at, game: name };
  if (counted !== null && at === "rounds") return { at: "round", table: name, round: counted };
  if (counted !== null && at === "shoes") return { at: "shoe", table: name, shoe: counted };
  return null;
}

/** Where we are, and what we came for. */
class Here {
  path = $state(location.pathname);
  /** Whether whoever comes to a table means to sit down. */
  sitsDown = $state(false);
  readonly route = $derived(read(this.path));
  /** Whether something would be left behind that one is asked about first; null where nobody says so. */
  guard: (() => boolean) | null = null;
  /** What somebody set out to do who is asked first. */
  departure = $state.raw<(() => void) | null>(null);

  go(path: string, sitsDown = false): void {
    if (this.asks(() => this.go(path, sitsDown))) return;
    if (path !== this.path || location.search !== "") history.pushState(null, "", path);
    [this.path, this.sitsDown] = [path, sitsDown];
    scrollTo(0, 0);
  }

  /** The browser has gone back or forward. */
  follow(): void {
    if (this.asks(() => history.back())) return history.pushState(null, "", this.path);
    [this.path, this.sitsDown] = [location.pathname, false];
  }

  private asks(departure: () => void): boolean {
    const isAsked = this.guard?.() ?? false;
    if (isAsked) this.departure = departure;
    return isAsked;
  }

  stay(): void {
    this.departure = null;
  }

  leave(): void {
    const { departure } = this;
    [this.guard, this.departure] = [null, null];
    departure?.();
  }

  /** A click on a link of the house goes there without loading the page again. */
  take(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (!link || link.origin !== location.origin || link.hasAttribute("download")) return;
    if (read(link.pathname) === null || link.target !== "" || link.hash !== "") return;
    if (link.search !== "") return;
    event.preventDefault();
    this.go(link.pathname, link.dataset.sits !== undefined);
  }
}

export const here = new Here();
