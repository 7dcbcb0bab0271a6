import { speech } from "../text/text.svelte";

function form(options: Intl.NumberFormatOptions): (number: number) => string {
  return (number) => new Intl.NumberFormat(speech.language, options).format(Math.abs(number) < 1e-12 ? 0 : number);
}

/** A gain for each unit: `−0.503 %`; small ones keep three digits. */
export function percent(part: number): string {
  const digits = part === 0 || Math.abs(part) >= 0.0001 ? 3 : Math.min(9, 1 - Math.floor(Math.log10(Math.abs(part))));
  return form({ style: "percent", minimumFractionDigits: 3, maximumFractionDigits: digits, signDisplay: "exceptZero" })(
    part,
  );
}

/** A share: `42.1 %`. */
export const share = (part: number) =>
  form({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: part < 0.01 ? 4 : 1 })(part);

/** A value in units of the wager: `+0.5404`. */
export const units = (number: number) =>
  form({ minimumFractionDigits: 4, maximumFractionDigits: 4, signDisplay: "exceptZero" })(number);

/** What an outcome gains: `+1.5`. */
export const net = (number: number) => form({ maximumFractionDigits: 2, signDisplay: "exceptZero" })(number);

export const plain = (number: number, digits = 3) =>
  form({ minimumFractionDigits: digits, maximumFractionDigits: digits })(number);

/** A count: `+3`. */
export const signed = (number: number) => form({ maximumFractionDigits: 0, signDisplay: "exceptZero" })(number);
