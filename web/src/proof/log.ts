import { sha256 } from "./sha256";
import { say } from "../text/text.svelte";

/** An entry of a table's log. */
export interface Entry {
  seq: number;
  hash: string;
  text: string;
}

/** The entries of an export, without its first line; null where a line is none. */
export function read(text: string): Entry[] | null {
  const [first = "", ...lines] = text.trimEnd().split("\n");
  if (!/^pitboss log [12] /.test(first)) return null;
  const entries = lines.map((line) => {
    const [, seq, hash = "", words = ""] = /^(\d+) ([0-9a-f]{64}) (.*)$/.exec(line) ?? [];
    return { seq: Number(seq), hash, text: words };
  });
  return entries.every(({ seq }) => seq > 0) ? entries : null;
}

/**
 * What the chain covers of an entry: its text, or the commitment to a text that only some may see until
 * it is opened.
 */
function covered(text: string): string {
  const [, salt, opened] = /^opened ([0-9a-f]{32}) (.*)$/.exec(text) ?? [];
  return salt === undefined ? text : `private ${sha256(`pitboss private\n${salt}\n${opened}`)}`;
}

/** A number of a log and its hash, which this browser was told. */
export type Head = Pick<Entry, "seq" | "hash">;

/**
 * The chain of a log (docs/log.md): every entry carries the hash of all before it. What is wrong
 * first is kept.
 */
export class Chain {
  /** How many entries were taken, one after the other. */
  length = 0;
  /** How many of the entries that this browser was told of are in it. */
  met = 0;
  /** How many entries are private and not opened yet. */
  unopened = 0;
  wrong: string | null = null;
  private last: string;

  constructor(
    table: string,
    private readonly heads: readonly Head[],
  ) {
    this.last = sha256(`pitboss chain\n${table}`);
  }

  take({ seq, hash, text }: Entry): void {
    this.length += 1;
    if (/^private [0-9a-f]{64}$/.test(text)) this.unopened += 1;
    const told = this.heads.filter((head) => head.seq === seq);
    if (seq !== this.length) {
      this.wrong ??= say("log.sequence", { before: this.length - 1, seq });
    } else if (sha256(["pitboss entry", this.last, seq, covered(text)].join("\n")) !== hash) {
      this.wrong ??= say("log.hash", { seq });
    } else if (told.some((head) => head.hash !== hash)) {
      this.wrong ??= say("log.other", { seq });
    } else if (told.length > 0) {
      this.met += 1;
    }
    this.last = hash;
  }

  /** How many of them are not. */
  get missing(): number {
    return new Set(this.heads.map(({ seq }) => seq)).size - this.met;
  }
}
