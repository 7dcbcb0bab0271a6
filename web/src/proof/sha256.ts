/**
 * SHA-256 (FIPS 180-4) in plain arithmetic. The browser has one too, but only for pages that came
 * over https or from the same computer, and a shoe can be checked on any page.
 */

const FIRST_64_PRIMES = primes(64);

/** The first 32 bits of the fractional part of a root. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
}

const START = FIRST_64_PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = FIRST_64_PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/** The hash of a text in UTF-8, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  const hash = [...START];
  const words = padded(new TextEncoder().encode(text));
  for (let block = 0; block < words.length; block += 16) {
    compress(hash, words.subarray(block, block + 16));
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The message, a one, zeros, and its length in bits: whole blocks of 16 words. */
function padded(bytes: Uint8Array): Int32Array {
  const words = new Int32Array(Math.ceil((bytes.length + 9) / 64) * 16);
  const put = (byte: number, at: number) => (words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - 8 * (at % 4))));
  bytes.forEach(put);
  put(0x80, bytes.length);
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29);
  words[words.length - 1] = bytes.length << 3;
  return words;
}

function compress(hash: number[], block: Int32Array): void {
  const w = new Int32Array(64);
  w.set(block);
  const at = (index: number) => w[index] ?? 0;
  for (let t = 16; t < 64; t++) {
    const [x, y] = [at(t - 15), at(t - 2)];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[t] = (at(t - 16) + s0 + at(t - 7) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (ROUNDS[t] ?? 0) + at(t)) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index] = ((hash[index] ?? 0) + word) | 0));
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}
