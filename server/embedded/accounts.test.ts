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
  test("start with one account, whose password is stored as a hash in a file that only its owner can read", async () => {
    const accounts = await Accounts.open(folder, PASSWORD);
    expect(await accounts.firstWith(PASSWORD)).toEqual({ email: "owner@sealwatch.local", hasPassword: true });
    expect(readFileSync(file(), "utf8")).not.toContain(PASSWORD);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test("are kept if the file exists", async () => {
    await Accounts.open(folder, PASSWORD);
    const before = readFileSync(file(), "utf8");
    const again = await Accounts.open(folder, "another-password");
    expect(readFileSync(file(), "utf8")).toBe(before);
    expect((await again.firstWith("another-password"))?.hasPassword).toBe(false);
  });

  test("sign in with the e-mail address in any case and the exact password", async () => {
    const accounts = await Accounts.open(folder, PASSWORD);
    expect(await accounts.signIn(" Owner@Sealwatch.local", PASSWORD)).toMatchObject({ name: "Owner" });
    expect(await accounts.signIn("owner@sealwatch.local", "")).toBeUndefined();
    expect(await accounts.signIn("owner@sealwatch.local", `${PASSWORD}x`)).toBeUndefined();
    expect(await accounts.signIn("nobody@sealwatch.local", PASSWORD)).toBeUndefined();
  });

  test("that are added to the file can sign in immediately, with a stable subject", async () => {
    const accounts = await Accounts.open(folder, PASSWORD);
    writeFileSync(file(), JSON.stringify([{ email: "bea@example.com", name: "Bea", password: "plain-password" }]));
    const bea = await accounts.signIn("bea@example.com", "plain-password");
    expect(bea).toMatchObject({ email: "bea@example.com", name: "Bea" });
    expect(bea && "id" in bea && accounts.find(bea.id)).toMatchObject({ name: "Bea" });
    expect(await accounts.signIn("bea@example.com", "plain-passwor")).toBeUndefined();
  });

  test("throttle guesses, also when they are sent in parallel, and only for that address", async () => {
    // On a busy machine the first delay of one second could end before the next attempt.
    vi.useFakeTimers({ toFake: ["Date"] });
    const accounts = await Accounts.open(folder, PASSWORD);
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => accounts.signIn("owner@sealwatch.local", "guess")),
    );
    expect(tries.filter((outcome) => outcome === undefined)).toHaveLength(5);
    expect(await accounts.signIn("owner@sealwatch.local", PASSWORD)).toEqual({ waitSeconds: expect.any(Number) });
    expect(await accounts.signIn("other@sealwatch.local", "guess")).toBeUndefined();
  });

  test("that cannot be read are reported with the file's name", async () => {
    writeFileSync(file(), '[{"email": "no address"}]');
    await expect(Accounts.open(folder, PASSWORD)).rejects.toThrow(file());
  });
});
