// The pages of what decisions are worth, loaded together when one of them is wanted.

export { default as Review } from "../coach/Review.svelte";
export { default as Explorer } from "./Explorer.svelte";
export { default as Trainer } from "./Trainer.svelte";
