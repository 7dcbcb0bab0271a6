import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type Plugin, runnerImport } from "vite";
import { defineConfig } from "vitest/config";

/** The most that the code of the client may weigh, in bytes after gzip: all of it, and what a first visit loads. */
const HEAVIEST = { all: 160_000, first: 120_000 };

/** Ends the build where scripts and styles weigh more than they may. */
const scales: Plugin = {
  name: "scales",
  apply: "build",
  generateBundle(_, bundle) {
    const weigh = (files: (typeof bundle)[string][]) =>
      files.reduce((sum, file) => sum + gzipSync(file.type === "chunk" ? file.code : file.source).length, 0);
    const files = Object.values(bundle);
    // What is loaded when it is wanted: another language, the office, the odds, and what only they share.
    const chunks = files.filter((file) => file.type === "chunk");
    const early = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
    for (const name of early) {
      const chunk = bundle[name];
      if (chunk?.type === "chunk") chunk.imports.forEach((other) => early.add(other));
    }
    const later: typeof files = chunks.filter(({ fileName }) => !early.has(fileName));
    const styles = later.flatMap((file) => (file.type === "chunk" ? [...(file.viteMetadata?.importedCss ?? [])] : []));
    const first = files.filter((file) => !later.includes(file) && !styles.includes(file.fileName));
    const weights = { all: weigh(files), first: weigh(first) };
    for (const part of ["all", "first"] as const) {
      const words = `the client weighs ${weights[part]} of ${HEAVIEST[part]} bytes (${part})`;
      if (weights[part] > HEAVIEST[part]) this.error(words);
      this.info(words);
    }
  },
};

/** Builds another language without the keys of its texts, which are those of English in the same order. */
const keyless: Plugin = {
  name: "keyless",
  apply: "build",
  async load(id) {
    if (!id.endsWith("/src/text/es.ts")) return null;
    const { module } = await runnerImport<typeof import("./src/text/es")>(id);
    const { texts, ...ofHouse } = module.default;
    const [inOrder, words] = [Object.values(texts), ofHouse].map((part) => JSON.stringify(part));
    return `import { keyed } from "./keyed"; export default { texts: keyed(${inOrder}), ...${words} };`;
  },
};

/** Where the sources of the page are. */
const SOURCES = join(import.meta.dirname, "src");

/** A word with points, as most keys of texts are: in quotes, and nothing else in them. */
const QUOTED = /(["'`])([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+)\1/g;

/** The beginning of a key whose end is known only while the page runs. */
const OPEN = /`([a-z][a-z0-9.-]*\.)\$\{(?!string\}|number\})/g;

/** Builds texts with short keys instead of those that people read, where a key is written out wherever it is used. */
function brief(): Plugin {
  const short = new Map<string, string>();
  return {
    name: "brief",
    apply: "build",
    enforce: "post",
    async buildStart() {
      const { module } = await runnerImport<typeof import("./src/text/en")>(join(SOURCES, "text/en.ts"));
      const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
        .filter((one) => /\.(ts|svelte)$/.test(one) && !/^text\/e[ns]/.test(one))
        .map((one) => readFileSync(join(SOURCES, one), "utf8"));
      const found = (what: RegExp, part: number) =>
        sources.flatMap((code) => [...code.matchAll(what)].map((match) => match[part] ?? ""));
      const [whole, open] = [new Set(found(QUOTED, 2)), found(OPEN, 1)];
      const isWhole = (key: string) => whole.has(key) && !open.some((beginning) => key.startsWith(beginning));
      for (const key of Object.keys(module.en).filter(isWhole)) short.set(key, `$${short.size.toString(36)}`);
    },
    transform(code, id) {
      if (!id.startsWith(SOURCES)) return null;
      return code.replace(QUOTED, (written, _, key: string) => (short.has(key) ? `"${short.get(key)}"` : written));
    },
  };
}

/** Leaves out what Svelte has for pages that a server draws first: the house draws none. */
const unhydrated: Plugin = {
  name: "unhydrated",
  apply: "build",
  transform(code, id) {
    if (!id.endsWith("/svelte/src/internal/client/dom/hydration.js")) return null;
    const constant = code.replace("export let hydrating = false", "export const hydrating = false");
    const unset = constant.replace("\thydrating = value;", "");
    if (constant === code || unset === constant) this.error("Svelte says otherwise whether it hydrates");
    return unset;
  },
};

/** Files that are worth squeezing. */
const TEXTS = /\.(html|js|css|svg|json|webmanifest|txt)$/;

/** Writes every text of the build beside it as brotli and gzip, where that is shorter: the house sends those. */
const press: Plugin = {
  name: "press",
  apply: "build",
  writeBundle({ dir = "dist" }) {
    for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((one) => TEXTS.test(one))) {
      const file = join(dir, name);
      if (!statSync(file).isFile()) continue;
      const plain = readFileSync(file);
      for (const [end, squeezed] of [
        ["br", brotliCompressSync(plain)],
        ["gz", gzipSync(plain, { level: 9 })],
      ] as const) {
        if (squeezed.length < plain.length) writeFileSync(`${file}.${end}`, squeezed);
      }
    }
  },
};

const house = process.env.PITBOSS_HOUSE ?? "http://127.0.0.1:8042";

export default defineConfig({
  plugins: [svelte(), unhydrated, keyless, brief(), scales, press],
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { "/api": house, "/ws": { target: house, ws: true } } },
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: ["tests/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 60_000,
          // On a busy machine a browser misses a moment now and then; what fails twice is wrong.
          retry: 1,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
