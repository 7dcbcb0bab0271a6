import { svelte } from "@sveltejs/vite-plugin-svelte";
import { gzipSync } from "node:zlib";
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

const house = process.env.PITBOSS_HOUSE ?? "http://127.0.0.1:8042";

export default defineConfig({
  plugins: [svelte(), scales],
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
