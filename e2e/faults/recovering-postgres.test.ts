import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { loadSecrets, prepareDataDir } from "@/server/data-dir";
import { ensurePostgres } from "@/server/embedded/postgres";
import { readPostmaster } from "@/server/embedded/postgres-process";

const parent = mkdtempSync(join(tmpdir(), "sealwatch-recovering-"));
// PostgreSQL refuses to run as root; the account it then gets must be able to pass through.
chmodSync(parent, 0o711);
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test("a stop ends the wait for an embedded PostgreSQL that recovers, and that PostgreSQL", async () => {
  const folder = join(parent, "data");
  prepareDataDir(folder);
  const { database_password: password } = loadSecrets(folder);
  await (await ensurePostgres(folder, password)).release();
  const data = join(folder, "postgres", "data");
  // So it waits for what it has to recover, and accepts no connections meanwhile.
  writeFileSync(join(data, "standby.signal"), "");
  appendFileSync(join(data, "postgresql.conf"), "\nhot_standby = off\n");
  const stopping = new AbortController();
  const started = ensurePostgres(folder, password, { signal: stopping.signal }).catch((error: Error) => error.name);
  await until("it recovers", () => readPostmaster(data)?.starting === true);
  stopping.abort();
  expect(await started).toBe("AbortError");
  expect(readPostmaster(data)).toBeUndefined();
});
