import { beforeEach, expect, it, vi } from "vitest";
import { bytesOf, keep, kept } from "../src/proof/contributions";
import { sha256 } from "../src/proof/sha256";

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

it("adds what is typed: bytes as they are, words as their hash, and chance for nothing", () => {
  const bytes = "5c".repeat(32);
  expect(bytesOf(bytes)).toBe(bytes);
  expect(bytesOf(` ${bytes.toUpperCase()} `)).toBe(bytes);
  expect(bytesOf("six dice: 3 1 6 6 2 4")).toBe(sha256("six dice: 3 1 6 6 2 4"));
  expect(bytesOf("")).toMatch(/^[0-9a-f]{64}$/);
  expect(bytesOf("")).not.toBe(bytesOf(""));
});

it("remembers what was added to which order, the last fifty", () => {
  for (let shoe = 0; shoe < 60; shoe++) keep(`seal ${shoe}`, `bytes ${shoe}`);
  expect([kept("seal 9"), kept("seal 10"), kept("seal 59")]).toEqual([null, "bytes 10", "bytes 59"]);
  keep("seal 59", "other");
  expect(kept("seal 59")).toBe("other");
});

it("remembers nothing where nothing may be kept", () => {
  vi.stubGlobal("localStorage", { getItem: () => "no JSON", setItem: () => { throw new Error(); } });
  keep("seal", "bytes");
  expect(kept("seal")).toBeNull();
});
