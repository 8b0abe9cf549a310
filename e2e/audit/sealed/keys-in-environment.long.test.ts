import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportOf } from "@/e2e/audit/export-files";
import { query } from "@/e2e/support/servers/databases";
import { Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { SealedLog } from "@/lib/audit-logs/seal/get-contract";
import { INSTALLATION_LOG } from "@/lib/audit-logs/seal/key-chain";
import { verify } from "@/public/sealwatch-verify.mjs";

const newKey = () => randomBytes(32).toString("base64");
const [first, second] = [newKey(), newKey()];
const CHANGED = { is_changed: true, waiting: 0, refused: 0 };

let server: Sealwatch;
let who: SignedIn;

// A separate server, with the key in its environment.
beforeAll(async () => {
  server = await startSealwatch({ AUDIT_SEAL_KEY: first });
  who = await newSession(server);
});
afterAll(() => server?.destroy());

// By the API, because the database has another port after a restart.
const state = async () => (await who.api.get<SealedLog>("/audit-logs/seal")).data;
const bundle = async () => (await exportOf(server, who, { format: "ndjson", include: "seal" })).read();

async function signedRequest(): Promise<void> {
  const { requestId } = await who.api.get("/api-keys");
  await until("the event is sealed and signed", async () => {
    return (await who.api.get<AuditEvent>(`/audit-logs/${requestId}`)).data.seal;
  });
}

async function restart(env: Record<string, string>): Promise<void> {
  await server.stop();
  const { AUDIT_SEAL_KEY: _, AUDIT_SEAL_KEY_BEFORE: __, ...others } = server.plain.env;
  server = new Sealwatch({ ...server.plain, env: { ...others, ...env } });
  await server.start();
}

test("a key in the environment is changed there, and the key before is dropped afterwards", async () => {
  await signedRequest();
  const { vkey } = await state();
  await expect(server.cli("audit", "key", "rotate")).rejects.toThrow("Set AUDIT_SEAL_KEY_BEFORE to the current key");

  await restart({ AUDIT_SEAL_KEY: second, AUDIT_SEAL_KEY_BEFORE: first });
  await until("the logs are signed by the new key", async () => {
    return JSON.stringify(await server.cli("audit", "key")) === JSON.stringify(CHANGED);
  });
  await restart({ AUDIT_SEAL_KEY: second });
  await signedRequest();
  expect((await state()).vkey).not.toBe(vkey);
  const exported = await bundle();
  expect(await verify([exported], { vkey: vkey ?? "" })).toMatchObject({ code: 0 });
  const [file, options] = [join(server.dataDir, "bundle.ndjson"), join(server.dataDir, "options.json")];
  writeFileSync(file, exported);
  for (const pinned of [vkey, (await state()).vkey]) {
    writeFileSync(options, JSON.stringify({ vkey: pinned, now: Date.now() }));
    const { stdout, status } = spawnSync("python3", ["server/testing/sealed-log/verify.py", file, options]);
    expect([status, stdout.toString()]).toEqual([0, "Proved.\n"]);
  }
});

test("a new epoch after a restore to a time before the change begins with the present key", async () => {
  const { vkey, size } = await state();
  // As if the backup knew only the first key.
  await query(
    server,
    "audit",
    `WITH gone AS (DELETE FROM audit_seal_keys WHERE checkpoint IS NOT NULL)
     UPDATE audit_seal_installation SET public_key = (SELECT public_key FROM audit_seal_keys WHERE checkpoint IS NULL LIMIT 1)`,
  );
  await who.api.get("/api-keys");
  await until("the worker says that the key is another one", () =>
    server.output().stderr.includes("this machine signs no checkpoints"),
  );
  expect((await state()).size).toBe(size);
  expect(await server.cli("audit", "epoch", "new", "--reason", "A restore in a test")).toEqual({ epoch: 2 });
  await signedRequest();
  const now = await state();
  expect(now).toMatchObject({ epoch: 2, refused: null, keys: [] });
  expect(now.vkey?.slice(-20)).toBe(vkey?.slice(-20));
  expect(await verify([await bundle()], { vkey: now.vkey ?? "" })).toMatchObject({ code: 0 });
  expect(await server.cli("audit", "key")).toEqual(CHANGED);
});

test("after an upgrade from a release that did not change keys, each log has the installation's key, and changes it", async () => {
  const { vkey } = await state();
  await query(
    server,
    "audit",
    `DROP TABLE audit_seal_keys; ALTER TABLE audit_seal_logs DROP COLUMN next_public_key, DROP COLUMN next_key_from;
     DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_seal_keys'`,
  );
  await restart({ AUDIT_SEAL_KEY: second });
  const kept = await query<{ log: string; epoch: number; since: number }>(
    server,
    "audit",
    "SELECT organization_id AS log, epoch, since_size::integer AS since FROM audit_seal_keys WHERE organization_id = ANY($1) ORDER BY 1, 2",
    [[who.organizationId, INSTALLATION_LOG]],
  );
  expect(kept).toEqual([
    { log: who.organizationId, epoch: 1, since: 0 },
    { log: who.organizationId, epoch: 2, since: 0 },
    { log: INSTALLATION_LOG, epoch: 2, since: 0 },
  ]);
  await signedRequest();
  expect((await state()).vkey).toBe(vkey);
  await restart({ AUDIT_SEAL_KEY: first, AUDIT_SEAL_KEY_BEFORE: second });
  await until("the logs are signed by the other key", async () => {
    return JSON.stringify(await server.cli("audit", "key")) === JSON.stringify(CHANGED);
  });
  expect(await verify([await bundle()], { vkey: vkey ?? "" })).toMatchObject({ code: 0 });
});
