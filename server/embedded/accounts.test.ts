import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Accounts } from "@/server/embedded/accounts";

const PASSWORD = "abcd-efgh-jkmn-pqrs";
let folder: string;
const file = () => join(folder, "accounts.json");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sealwatch-accounts-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

describe("accounts of the embedded identity provider", () => {
  test("begin with one, whose password is stored as a hash that only its owner can read", async () => {
    const accounts = await Accounts.open(folder, PASSWORD);
    expect(await accounts.firstWith(PASSWORD)).toEqual({ email: "owner@sealwatch.local", hasPassword: true });
    expect(readFileSync(file(), "utf8")).not.toContain(PASSWORD);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test("are kept when the file is there", async () => {
    await Accounts.open(folder, PASSWORD);
    const before = readFileSync(file(), "utf8");
    const again = await Accounts.open(folder, "another-password");
    expect(readFileSync(file(), "utf8")).toBe(before);
    expect((await again.firstWith("another-password"))?.hasPassword).toBe(false);
  });

  test("sign in by address, whatever its case, and by nothing but the password", async () => {
    const accounts = await Accounts.open(folder, PASSWORD);
    expect(await accounts.signIn(" Owner@Sealwatch.local", PASSWORD)).toMatchObject({ name: "Owner" });
    expect(await accounts.signIn("owner@sealwatch.local", "")).toBeUndefined();
    expect(await accounts.signIn("owner@sealwatch.local", `${PASSWORD}x`)).toBeUndefined();
    expect(await accounts.signIn("nobody@sealwatch.local", PASSWORD)).toBeUndefined();
  });

  test("that are added to the file can sign in at once, with a subject that stays", async () => {
    const accounts = await Accounts.open(folder, PASSWORD);
    writeFileSync(file(), JSON.stringify([{ email: "bea@example.com", name: "Bea", password: "plain-password" }]));
    const bea = await accounts.signIn("bea@example.com", "plain-password");
    expect(bea).toMatchObject({ email: "bea@example.com", name: "Bea" });
    expect(bea && "id" in bea && accounts.find(bea.id)).toMatchObject({ name: "Bea" });
    expect(await accounts.signIn("bea@example.com", "plain-passwor")).toBeUndefined();
  });

  test("make guessing wait, also for tries that are sent all at once, and only for that address", async () => {
    // On a busy machine the first wait, of a second, would be over before the next try.
    vi.useFakeTimers({ toFake: ["Date"] });
    const accounts = await Accounts.open(folder, PASSWORD);
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => accounts.signIn("owner@sealwatch.local", "guess")),
    );
    expect(tries.filter((outcome) => outcome === undefined)).toHaveLength(5);
    expect(await accounts.signIn("owner@sealwatch.local", PASSWORD)).toEqual({ waitSeconds: expect.any(Number) });
    expect(await accounts.signIn("other@sealwatch.local", "guess")).toBeUndefined();
  });

  test("that cannot be read are said so with the file's name", async () => {
    writeFileSync(file(), '[{"email": "no address"}]');
    await expect(Accounts.open(folder, PASSWORD)).rejects.toThrow(file());
  });
});
