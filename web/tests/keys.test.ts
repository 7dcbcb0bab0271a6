import { describe, expect, it, vi } from "vitest";
import { type Deed, deedFor, isStale, keyOf, label, type Press, SETTLING } from "../src/keys";

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  target: null,
  ...more,
});

const element = (tagName: string, type = "") => ({ tagName, type }) as unknown as EventTarget;

const act = vi.fn();
const deeds: Deed[] = ["w", "Enter", "ArrowLeft", "1", " "].map((key) => ({ key, act }));
const meant = (key: string, more: Partial<Press> = {}) => deedFor(press(key, more), deeds)?.key ?? null;

describe("keys", () => {
  it("have a call each, and no two the same", () => {
    const calls = ["hit", "stand", "double", "split", "surrender", "war", "attack", "insure", "even-money", "pass"];
    expect(new Set(calls.map(keyOf)).size).toBe(calls.length);
    expect(keyOf("war")).toBe("w");
  });

  it("are the same with and without shift", () => {
    expect([meant("w"), meant("W"), meant("x")]).toEqual(["w", "w", null]);
  });

  it("do nothing as part of a shortcut or while held down", () => {
    for (const held of ["ctrlKey", "metaKey", "altKey", "repeat"]) {
      expect(meant("w", { [held]: true }), held).toBeNull();
    }
  });

  it("belong to a field while someone types, but for Enter", () => {
    const target = element("INPUT");
    expect([meant("w", { target }), meant("1", { target }), meant("Enter", { target })]).toEqual([null, null, "Enter"]);
  });

  it("press the button that has the focus", () => {
    const target = element("BUTTON");
    expect([meant("Enter", { target }), meant(" ", { target }), meant("w", { target })]).toEqual([null, null, "w"]);
  });

  it("move a slider that has the focus", () => {
    const target = element("INPUT", "range");
    expect([meant("ArrowLeft", { target }), meant("Enter", { target })]).toEqual([null, "Enter"]);
    expect(meant("ArrowLeft")).toBe("ArrowLeft");
  });

  it("that mean whatever the bar says wait until it could be read", () => {
    for (const key of ["Enter", " "]) {
      expect([isStale({ key }, 1000, 1000), isStale({ key }, 1000, 1000 + SETTLING - 1)], key).toEqual([true, true]);
      expect(isStale({ key }, 1000, 1000 + SETTLING), key).toBe(false);
    }
    expect(isStale({ key: "w" }, 1000, 1000), "a letter means one thing").toBe(false);
  });

  it("are written as on a keyboard", () => {
    expect(["w", "Enter", "1"].map(label)).toEqual(["W", "↵", "1"]);
  });
});
