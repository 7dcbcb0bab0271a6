import { expect, it, vi } from "vitest";

const location = { pathname: "/", search: "" };
const history = {
  pushState: vi.fn((_: null, __: string, path: string) => (location.pathname = path)),
  back: vi.fn(),
};
vi.stubGlobal("location", location);
vi.stubGlobal("history", history);
vi.stubGlobal("scrollTo", () => {});
const { here, read } = await import("../src/route.svelte");

it("finds every place of the house", () => {
  expect(read("/")).toEqual({ at: "lobby" });
  expect(read("/table/war-1")).toEqual({ at: "table", table: "war-1" });
  expect(read("/rules/war-1")).toEqual({ at: "rules", table: "war-1" });
  expect(read("/rounds")).toEqual({ at: "rounds" });
  expect(read("/rounds/war-1/17")).toEqual({ at: "round", table: "war-1", round: 17 });
  expect(read("/shoes/war-1/2")).toEqual({ at: "shoe", table: "war-1", shoe: 2 });
  expect(read("/log/war-1")).toEqual({ at: "log", table: "war-1" });
  expect(read("/review")).toEqual({ at: "review" });
  expect(read("/me")).toEqual({ at: "me" });
  expect(read("/office")).toEqual({ at: "office" });
  expect(read("/odds/free-bet")).toEqual({ at: "odds", game: "free-bet" });
  expect(read("/train/double-deck")).toEqual({ at: "train", game: "double-deck" });
});

it("finds nothing elsewhere", () => {
  for (const path of [
    "/table",
    "/table/",
    "/table/War",
    "/me/ann",
    "/rounds/war-1/0",
    "/rounds/war-1/x",
    "/shoes/war-1",
    "/odds",
    "/train/free-bet/2",
    "/table/war-1/2/3",
    "/api/me",
  ]) {
    expect(read(path), path).toBeNull();
  }
});

it("asks once before leaving what would be left behind, whatever way leads away", () => {
  here.go("/table/war-1");
  here.guard = () => true;
  here.go("/me");
  expect([here.path, here.departure !== null]).toEqual(["/table/war-1", true]);
  here.stay();
  expect([here.path, here.departure]).toEqual(["/table/war-1", null]);

  // Back: the browser is at the list of tables already, and is brought back to the table.
  location.pathname = "/";
  here.follow();
  expect([here.path, location.pathname]).toEqual(["/table/war-1", "/table/war-1"]);
  here.leave();
  expect(history.back).toHaveBeenCalledOnce();
  location.pathname = "/";
  here.follow();
  expect([here.path, here.departure]).toEqual(["/", null]);

  here.guard = () => true;
  here.go("/table/deck-1", true);
  here.leave();
  expect([here.path, here.sitsDown]).toEqual(["/table/deck-1", true]);

  here.guard = () => false;
  here.go("/me");
  expect([here.path, here.departure]).toEqual(["/me", null]);
});

it("takes a seat at once where a link says that it leads to one", () => {
  const click = (dataset: Record<string, string>) => {
    const link = { origin: undefined, pathname: "/table/deck-2", target: "", hash: "", search: "", dataset };
    const target = { closest: () => ({ ...link, hasAttribute: () => false }) };
    here.take({ button: 0, target, preventDefault: () => {} } as unknown as MouseEvent);
    return [here.path, here.sitsDown];
  };
  expect(click({ sits: "" })).toEqual(["/table/deck-2", true]);
  expect(click({})).toEqual(["/table/deck-2", false]);
});
