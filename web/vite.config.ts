import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The most that the code of the client may weigh before it is sent, in bytes after gzip. */
const HEAVIEST = 120_000;

/** Ends the build where scripts and styles weigh more than they may. */
const scales: Plugin = {
  name: "scales",
  apply: "build",
  generateBundle(_, bundle) {
    const texts = Object.values(bundle).map((file) => (file.type === "chunk" ? file.code : file.source));
    const weight = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    if (weight > HEAVIEST) this.error(`the client weighs ${weight} bytes, and may weigh ${HEAVIEST}`);
    this.info(`the client weighs ${weight} of ${HEAVIEST} bytes`);
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
  plugins: [svelte(), scales, press],
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
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
