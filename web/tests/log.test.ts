import { describe, expect, it, vi } from "vitest";
import { keepHead, keptHeads } from "../src/proof/kept";
import { Chain, type Entry, read } from "../src/proof/log";
import { sha256 } from "../src/proof/sha256";

const TEXTS = ["# version 0.1.0", "< sit 3 ann", "> sat-down 3 ann"];

/** A log as docs/log.md has it. */
function written(table: string, texts: readonly string[]): string {
  let last = sha256(`pitboss chain\n${table}`);
  const lines = texts.map((text, index) => {
    last = sha256(`pitboss entry\n${last}\n${index + 1}\n${text}`);
    return `${index + 1} ${last} ${text}`;
  });
  return [`pitboss log 2 ${table}`, ...lines, ""].join("\n");
}

const LOG = read(written("war-1", TEXTS)) ?? [];

function follow(entries: readonly Entry[], heads: { seq: number; hash: string }[] = []) {
  const chain = new Chain("war-1", heads);
  for (const entry of entries) chain.take(entry);
  return chain;
}

describe("a log", () => {
  it("is read line by line, and nothing else is", () => {
    expect(LOG.map(({ text }) => text)).toEqual(TEXTS);
    expect([read("pitboss log 1 war-1\n"), read("pitboss log 2 war-1\n")]).toEqual([[], []]);
    expect([read(""), read("pitboss log 1 war-1\n1 abc < sit"), read("<html>")]).toEqual([null, null, null]);
  });

  it("is a chain", () => {
    const heads = [
      { seq: 2, hash: LOG[1]?.hash ?? "" },
      { seq: 9, hash: "" },
    ];
    const { length, wrong, met, missing } = follow(LOG, heads);
    expect([length, wrong, met, missing]).toEqual([3, null, 1, 1]);
  });

  it("is the same chain before and after a private line is opened, and no guess fits", () => {
    // printf 'pitboss private\n000102030405060708090a0b0c0d0e0f\n< card 9d' | sha256sum
    const commitment = "7c860328853d9caa75890b5a49b4a966bf51d216d58475c2020823a93d142160";
    const [closed] = read(written("war-1", [`private ${commitment}`])) ?? [];
    if (closed === undefined) throw new Error("a line is an entry");
    const opened = { ...closed, text: "opened 000102030405060708090a0b0c0d0e0f < card 9d" };
    expect([follow([closed]).wrong, follow([closed]).unopened]).toEqual([null, 1]);
    expect([follow([opened]).wrong, follow([opened]).unopened]).toEqual([null, 0]);
    for (const text of ["< card 9d", opened.text.replace("9d", "9c"), opened.text.replace("00", "01")]) {
      expect(follow([{ ...closed, text }]).wrong).toContain("Entry 1: the hash");
    }
  });

  it("that ends too early is in order, and lacks what we were told", () => {
    const { wrong, met, missing } = follow(LOG.slice(0, 1), LOG);
    expect([wrong, met, missing]).toEqual([null, 1, 2]);
  });

  it("cannot be in order after two hashes were told for one entry", () => {
    const stored = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
    const hash = LOG[1]?.hash ?? "";
    keepHead("ann", "war-1", { seq: 2, hash });
    keepHead("ann", "war-1", { seq: 2, hash });
    expect(keptHeads("ann", "war-1")).toEqual([{ seq: 2, hash }]);
    keepHead("ann", "war-1", { seq: 2, hash: "5c".repeat(32) });
    keepHead("ann", "war-1", { seq: 2, hash });
    const { wrong, met } = follow(LOG, keptHeads("ann", "war-1"));
    expect(wrong).toContain("Entry 2 is not the one");
    expect(met).toBe(0);
  });

  it("is exposed by whatever was changed, left out or written anew", () => {
    const changed = LOG.map((entry) => (entry.seq === 2 ? { ...entry, text: "< sit 3 eve" } : entry));
    expect(follow(changed).wrong).toContain("Entry 2: the hash");
    expect(follow(LOG.filter(({ seq }) => seq !== 2)).wrong).toBe("After entry 1 comes entry 3.");
    expect(follow(read(written("stud-1", TEXTS)) ?? []).wrong).toContain("Entry 1: the hash");
    // A whole other chain is in order by itself, but not what we were told.
    const other = read(written("war-1", ["# version 0.1.0", "< sit 3 eve"])) ?? [];
    expect(follow(other).wrong).toBeNull();
    expect(follow(other, [{ seq: 2, hash: LOG[1]?.hash ?? "" }]).wrong).toContain("Entry 2 is not the one");
  });
});
