import { expect, it, vi } from "vitest";

vi.stubGlobal("location", { pathname: "/" });
const { read } = await import("../src/route.svelte");

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
