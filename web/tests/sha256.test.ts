import { expect, it } from "vitest";
import { sha256 } from "../src/proof/sha256";

it("hashes as the standard's examples have it", () => {
  expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

/** As the platform hashes. */
async function expected(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

it("hashes texts of every length as other programs do", async () => {
  for (let length = 0; length < 200; length++) {
    const text = "é♠x".repeat(length).slice(0, length);
    expect(sha256(text), String(length)).toBe(await expected(text));
  }
});
