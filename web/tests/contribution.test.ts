import { beforeEach, expect, it, vi } from "vitest";
import { bytesOf } from "../src/proof/contribution";
import { contributions } from "../src/proof/kept";
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
  for (let shoe = 0; shoe < 60; shoe++) contributions.set(`seal ${shoe}`, `bytes ${shoe}`);
  const kept = [9, 10, 59].map((shoe) => contributions.get(`seal ${shoe}`));
  expect(kept).toEqual([null, "bytes 10", "bytes 59"]);
  contributions.set("seal 59", "other");
  expect(contributions.get("seal 59")).toBe("other");
});

it("remembers nothing where nothing may be kept", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => "no JSON",
    setItem: () => {
      throw new Error();
    },
  });
  contributions.set("seal", "bytes");
  expect(contributions.get("seal")).toBeNull();
});
