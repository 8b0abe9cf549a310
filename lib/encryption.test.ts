import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { configure } from "@/lib/config";
import { seal, unseal } from "@/lib/encryption";

const newKey = () => configure({ ENCRYPTION_KEY: randomBytes(32).toString("base64") });

beforeEach(() => {
  newKey();
});

test("sealed text can be unsealed, and its ciphertext differs each time", () => {
  const [one, other] = [seal("grüß dich", "row 1"), seal("grüß dich", "row 1")];
  expect(one.equals(other)).toBe(false);
  expect(one.includes("dich")).toBe(false);
  expect([unseal(one, "row 1"), unseal(other, "row 1")]).toEqual(["grüß dich", "grüß dich"]);
});

test("unsealing fails for another row, with another key, or after any byte has changed", () => {
  const sealed = seal("secret", "row 1");
  expect(() => unseal(sealed, "row 2")).toThrow();
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(changed, "row 1"), `byte ${at}`).toThrow();
  }
  newKey();
  expect(() => unseal(sealed, "row 1")).toThrow();
});
