import { describe, expect, it } from "vitest";
import { cut, keyOf, mixed, numbers, sealOf } from "../src/proof/fair_order";

// The example of docs/fair-order.md.
const SALT = "07".repeat(32);
const ORDER = ["9d", "4c", "As", "Th", "2c", "7s", "Kd", "Qc", "5h"];
const ADDED = ["01".repeat(32), "ab".repeat(32)];
const SEAL = "29ced24121b1a30181258288d3cad3ee5fb4a928e260cf51704b937cb91143a9";

describe("the example of the documents", () => {
  it("has its seal, its key and its numbers", () => {
    expect(sealOf(SALT, ORDER)).toBe(SEAL);
    const key = "09147f1b75616416361180cd3165900ba8e4a53340fe7df794854f80fad530dd";
    expect(keyOf(SEAL, ADDED)).toBe(key);
    const source = numbers(key);
    const first = Array.from({ length: 8 }, () => source.next().value);
    expect(first).toEqual([
      2477645395, 1041166232, 2878318623, 3880983860, 2760796123, 1579894447, 2574959953, 2929834330,
    ]);
  });

  it("has its mixed order, and the cards as they are dealt", () => {
    const order = mixed(ORDER, SEAL, ADDED);
    expect(order.join("")).toBe("Kd5h4c2cThAs7s9dQc");
    expect(cut(order, 4).join("")).toBe("ThAs7s9dQcKd5h4c2c");
  });
});

it("leaves the order alone where nobody added to it", () => {
  expect(mixed(ORDER, SEAL, [])).toEqual(ORDER);
});
