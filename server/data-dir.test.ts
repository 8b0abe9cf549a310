import { chownSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { auditSealKey, replaceAuditSealKey, replaceEncryptionKey } from "@/server/data-dir";

const folder = mkdtempSync(join(tmpdir(), "sealwatch-data-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(process.getuid?.() === 0)("a key that root makes or replaces belongs to the owner of DATA_DIR", () => {
  chownSync(folder, 12_345, 12_346);
  auditSealKey(folder);
  replaceAuditSealKey(folder);
  replaceEncryptionKey(folder);
  for (const name of ["audit-seal.key", "audit-seal-before.key", "encryption.key", "encryption-before.key"]) {
    const { uid, gid, mode } = statSync(join(folder, name));
    expect([name, uid, gid, mode & 0o777]).toEqual([name, 12_345, 12_346, 0o600]);
  }
});
