import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

// Components have names of their own, which weigh less than hashes as names of their classes.
const cssHash = ({ name }) => `s-${name}`;

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, cssHash } };
