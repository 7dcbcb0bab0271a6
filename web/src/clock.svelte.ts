import { createSubscriber } from "svelte/reactivity";

/** Ticks four times a second while someone looks. */
const tick = createSubscriber((update) => {
  const timer = setInterval(update, 250);
  return () => clearInterval(timer);
});

/** Now, in the time of `performance.now()`; read in a component it stays so. */
export function now(): number {
  tick();
  return performance.now();
}

/** Whole seconds until a moment. */
export function seconds(until: number): number {
  return Math.max(0, Math.ceil((until - now()) / 1000));
}
