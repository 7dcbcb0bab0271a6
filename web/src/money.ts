/** Money as whole cents: the wire says dollars as text, and nothing here is ever a fraction. */
export type Cents = number;

/** Reads dollars as the house writes them and as people type them; null where it is no amount. */
export function cents(text: string): Cents | null {
  const parts = /^([+-]?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text.trim().replace(/,(?=\d{3}(?!\d))/g, ""));
  if (!parts) return null;
  const [, sign, whole = "0", fraction = ""] = parts;
  const amount = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return sign === "-" && amount > 0 ? -amount : amount;
}

/** Reads an amount of the house; one that it cannot have written counts as nothing. */
export function owed(text: string | null | undefined): Cents {
  return (text && cents(text)) || 0;
}

/** Dollars for the wire: no separators, cents only where there are some. */
export function wire(amount: Cents): string {
  const [sign, size] = [amount < 0 ? "-" : "", Math.abs(amount)];
  const fraction = size % 100;
  return `${sign}${Math.floor(size / 100)}${fraction ? `.${String(fraction).padStart(2, "0")}` : ""}`;
}

/** Dollars for the eye: thousands apart, cents only where there are some, a true minus sign. */
export function dollars(amount: Cents): string {
  const [whole = "", fraction] = wire(Math.abs(amount)).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${amount < 0 ? "−" : ""}${grouped}${fraction ? `.${fraction}` : ""}`;
}

/** Dollars where there is no room for all of them: two figures from a thousand on, `1.5K`. */
export function roughly(amount: Cents): string {
  if (Math.abs(amount) < 1_000_00) return dollars(amount);
  return SHORT.format(amount / 100).replace("-", "−");
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });

/** Won or lost, with its sign; nothing won and nothing lost is a plain 0. */
export function gain(amount: Cents, written = dollars): string {
  return amount > 0 ? `+${written(amount)}` : written(amount);
}
