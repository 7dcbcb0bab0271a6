import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["artifacts/", "dist/", "src/wire.ts"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      // The type checker knows better.
      "no-undef": "off",
      // Maps here are replaced whole, in raw state.
      "svelte/prefer-svelte-reactivity": "off",
      // A blank between two elements has no other spelling that the formatter keeps.
      "svelte/no-useless-mustaches": "off",
    },
  },
  { files: ["e2e/**"], rules: { "no-console": "off" } },
);
