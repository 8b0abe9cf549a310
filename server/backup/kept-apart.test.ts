import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseConfig } from "@/lib/config";
import { keptApart } from "@/server/backup/kept-apart";

const DATA_DIR = mkdtempSync(join(tmpdir(), "sealwatch-kept-"));
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

const KEY = Buffer.alloc(32, 7).toString("base64");
const files = (...names: string[]) => names.map((name) => join(DATA_DIR, name));

test("a backup names the keys, and while a key is being changed both", () => {
  const rest = files("accounts.json", "identity-provider.json", "secrets.json");
  const settings = parseConfig({ DATA_DIR });
  expect(keptApart(settings)).toEqual([...files("encryption.key", "audit-seal.key"), ...rest]);
  for (const name of ["encryption-before.key", "audit-seal-before.key"]) writeFileSync(join(DATA_DIR, name), KEY);
  expect(keptApart(settings)).toEqual([
    ...files("encryption.key", "encryption-before.key", "audit-seal.key", "audit-seal-before.key"),
    ...rest,
  ]);
  const inEnvironment = { ENCRYPTION_KEY: KEY, AUDIT_SEAL_KEY: KEY };
  expect(keptApart(parseConfig({ DATA_DIR, ...inEnvironment }))).toEqual([...Object.keys(inEnvironment), ...rest]);
  const changing = { ENCRYPTION_KEY_OTHER: KEY, AUDIT_SEAL_KEY_BEFORE: KEY };
  expect(keptApart(parseConfig({ DATA_DIR, ...inEnvironment, ...changing }))).toEqual([
    ...["ENCRYPTION_KEY", "ENCRYPTION_KEY_OTHER", "AUDIT_SEAL_KEY", "AUDIT_SEAL_KEY_BEFORE"],
    ...rest,
  ]);
});
