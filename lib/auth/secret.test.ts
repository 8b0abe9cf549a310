import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashSecret, newSecret } from "@/lib/auth/secret";
import { hintOf, isSecret } from "@/lib/auth/secret-form";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("a secret", () => {
  test("consists of sw_, 40 random characters and a checksum of 6, all in base62", () => {
    for (let count = 0; count < 200; count++) {
      const secret = newSecret();
      expect(secret).toMatch(/^sw_[0-9A-Za-z]{46}$/);
      expect(isSecret(secret)).toBe(true);
    }
  });

  test("is invalid after any single character has changed", () => {
    const secret = newSecret();
    for (let at = 3; at < secret.length; at++) {
      for (const character of ALPHABET) {
        if (character === secret[at]) continue;
        expect(isSecret(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false);
      }
    }
  });

  test("has the checksum that scanners compute: CRC-32 in six base62 digits, most significant first", () => {
    // zlib.crc32(b"sw_" + b"0" * 40) is 0x34c66b90 = 885418896, which is 0xv7tw in base 62.
    expect(isSecret(`sw_${"0".repeat(40)}0xv7tw`)).toBe(true);
  });

  test.each([
    "",
    "sw_",
    "Bearer",
    `sw_${"0".repeat(46)}`,
    `sk_${"0".repeat(46)}`,
    `sw_${"0".repeat(45)}`,
    `sw_${"é".repeat(46)}`,
  ])("%j is not a secret", (text) => {
    expect(isSecret(text)).toBe(false);
  });

  test("is invalid with any text before or after it", () => {
    const secret = newSecret();
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 5 }), (more) => {
        expect(isSecret(secret + more)).toBe(false);
        expect(isSecret(more + secret)).toBe(false);
      }),
    );
    expect(isSecret(`${secret}\n`)).toBe(false);
  });

  test("has uniformly distributed characters", () => {
    const seen = new Map<string, number>([...ALPHABET].map((character) => [character, 0]));
    const secrets = 4_000;
    for (let count = 0; count < secrets; count++) {
      for (const character of newSecret().slice(3, 43)) seen.set(character, (seen.get(character) ?? 0) + 1);
    }
    const expected = (secrets * 40) / 62;
    const chiSquare = [...seen.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 61 degrees of freedom: more than 130 occurs once in a million runs; bytes modulo 62 would give thousands.
    expect(chiSquare).toBeLessThan(130);
    expect(seen.size).toBe(62);
  });

  test("is never repeated", () => {
    expect(new Set(Array.from({ length: 1000 }, newSecret)).size).toBe(1000);
  });

  test("is stored as its SHA-256", () => {
    const secret = newSecret();
    expect(hashSecret(secret)).toEqual(createHash("sha256").update(secret, "utf8").digest());
    expect(hashSecret(secret)).toHaveLength(32);
  });

  test("is shown as its first two and last four characters", () => {
    expect(hintOf("sw_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEf12x9Zk")).toBe("sw_Ab…x9Zk");
  });
});
