import { beforeEach, expect, it, vi } from "vitest";
import { bytesFor, commitmentOf, inWords, standing } from "../src/proof/contribution";
import { contributions, ownKey } from "../src/proof/kept";
import { sha256 } from "../src/proof/sha256";

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

// The example of docs/fair-order.md.
const SEAL = "29ced24121b1a30181258288d3cad3ee5fb4a928e260cf51704b937cb91143a9";
const PLACE = { house: "h1", table: "war-1", shoe: 1, seal: SEAL, seat: "2" };

it("takes bytes as they are typed", () => {
  const bytes = "5c".repeat(32);
  expect(bytesFor(PLACE, ` ${bytes.toUpperCase()} `)).toBe(bytes);
});

it("hides words that can be guessed behind its key", () => {
  const words = "six dice";
  const bytes = bytesFor(PLACE, words);
  const place = ["h1", "war-1", 1, SEAL];
  expect(bytes).toBe(sha256(["pitboss bytes", ownKey(), ...place, words].join("\n")));
  // Whoever guesses the words has not the bytes, and so does not know the order before it is fixed.
  expect([sha256(words), sha256(["pitboss bytes", ...place, words].join("\n"))]).not.toContain(bytes);
  expect(bytesFor(PLACE, "")).toBe(bytes);
  // They still count: other words are other bytes.
  stored.delete("pitboss contributions");
  expect(bytesFor(PLACE, "five dice")).not.toBe(bytes);
});

it("commits as the page on fair orders says", () => {
  expect(commitmentOf(PLACE, "ab".repeat(32))).toBe("fcfb62999834c0dc649e59522199a9c4b5159fc96aedd7e974a08aa85ecca57e");
});

it("makes its bytes from a key that it keeps, and writes them down first", () => {
  const bytes = bytesFor(PLACE, "");
  expect(bytes).toMatch(/^[0-9a-f]{64}$/);
  expect(contributions.get(SEAL)).toBe(bytes);
  // A reload, or another tab, has the same; even where only the key is left.
  expect(bytesFor(PLACE, "something else")).toBe(bytes);
  stored.delete("pitboss contributions");
  expect(bytesFor(PLACE, "")).toBe(bytes);
  expect(ownKey()).toMatch(/^[0-9a-f]{64}$/);
  // Another shoe, another order, and another browser have others.
  expect(bytesFor({ ...PLACE, seal: "00".repeat(32) }, "")).not.toBe(bytes);
  stored.clear();
  expect(bytesFor(PLACE, "")).not.toBe(bytes);
});

it("says before any wager what became of our contribution", () => {
  const own = { at: "2", commitment: commitmentOf(PLACE, bytesFor(PLACE, "")), opened: false };
  const other = { at: "1", commitment: "00".repeat(32), opened: true };
  expect(standing([other, own], false, PLACE)).toBe("kept");
  expect(standing([other, { ...own, opened: true }], true, PLACE)).toBe("kept");
  expect(standing([other, own], true, PLACE)).toBe("not-recorded");
  expect(standing([other], false, PLACE)).toBe("left-out");
  // At another place the same commitment is not ours.
  expect(standing([{ ...own, at: "1" }], true, PLACE)).toBe("left-out");
  stored.clear();
  expect(standing([other], true, PLACE)).toBe("too-late");
  expect(standing([other], false, PLACE)).toBeNull();
  expect(inWords("kept")).toBeNull();
  for (const bad of ["left-out", "not-recorded", "too-late"] as const) expect(inWords(bad)).toMatch(/^[A-Z].*[.]$/);
});

it("remembers what was added to which order, the last fifty", () => {
  for (let shoe = 0; shoe < 60; shoe++) contributions.set(`seal ${shoe}`, `bytes ${shoe}`);
  const kept = [9, 10, 59].map((shoe) => contributions.get(`seal ${shoe}`));
  expect(kept).toEqual([null, "bytes 10", "bytes 59"]);
  contributions.set("seal 59", "other");
  expect(contributions.get("seal 59")).toBe("other");
});

it("still opens on the same page where nothing may be kept", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => "no JSON",
    setItem: () => {
      throw new Error();
    },
  });
  contributions.set("seal", "bytes");
  expect(contributions.get("seal")).toBeNull();
  expect(ownKey()).toBeNull();
  expect(bytesFor(PLACE, "")).toBe(bytesFor(PLACE, ""));
});
