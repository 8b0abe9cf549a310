import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { eventById, query } from "@/e2e/support/servers/databases";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { alive } from "@/e2e/support/servers/processes";
import { prepareSealwatch, runStart, type Sealwatch, startPrepared } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import type { ApiKeyWithSecret } from "@/lib/api-keys/contract";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { loadSecrets } from "@/server/data-dir";
import { installPostgres } from "@/server/embedded/postgres-files";
import { launch, readPostmaster, signalStop } from "@/server/embedded/postgres-process";

const prepared = await prepareSealwatch();
const dataDir = join(prepared.folder, "data");
let server: Sealwatch;
let key: ApiKeyWithSecret;

beforeAll(async () => {
  key = await fillAsBefore();
  server = await startPrepared(prepared);
});
afterAll(() => server?.destroy());

/** The state of earlier releases: one role, the superuser, owns both databases and all of their objects. */
async function fillAsBefore(): Promise<ApiKeyWithSecret> {
  mkdirSync(dataDir, { mode: 0o711 });
  const { database_password } = loadSecrets(dataDir);
  const installation = installPostgres(dataDir, database_password);
  const port = await lastingPort();
  launch(installation, dataDir, port, false).unref();
  const url = (name: string) => `postgresql://sealwatch:${database_password}@127.0.0.1:${port}/${name}`;
  for (const name of ["sealwatch", "sealwatch_audit"]) {
    await until(`the database ${name} is made`, async () => {
      const client = new pg.Client({ connectionString: url("postgres") });
      client.on("error", () => {});
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
      return true;
    });
  }
  const env = { ...prepared.env, DATABASE_URL: url("sealwatch"), AUDIT_DATABASE_URL: url("sealwatch_audit") };
  const command = async <Document>(...args: string[]): Promise<Document> => {
    const { code, stdout, stderr } = await runStart(["--cli", ...args, "--json"], env);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Document;
  };
  const { slug } = await command<{ slug: string }>("org", "create", "--name", "From before");
  const flags = ["--name", "From before", "--permission", "admin"];
  const key = await command<ApiKeyWithSecret>("key", "create", "--org", slug, ...flags);
  const pid = readPostmaster(installation.data)?.pid ?? 0;
  signalStop(installation, pid, "fast");
  await until("PostgreSQL has stopped", () => alive([pid]).length === 0);
  return key;
}

const OWNED = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_roles r ON r.oid = relowner
    WHERE nspname IN ('public', 'partitions') AND rolname = 'sealwatch'
  UNION ALL SELECT proname FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace JOIN pg_roles r ON r.oid = proowner
    WHERE nspname IN ('public', 'partitions') AND rolname = 'sealwatch'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND deptype = 'e')
  UNION ALL SELECT nspname FROM pg_namespace n JOIN pg_roles r ON r.oid = nspowner WHERE nspname = 'partitions' AND rolname = 'sealwatch'
  UNION ALL SELECT datname FROM pg_database JOIN pg_roles r ON r.oid = datdba
    WHERE datname = current_database() AND rolname = 'sealwatch'`;

test("a data directory whose superuser owns everything gets separate roles at the next start", async () => {
  for (const database of ["app", "audit"] as const) expect(await query(server, database, OWNED)).toEqual([]);

  const api = withKey(server, key.secret);
  const events = await api.get<AuditEvent[]>("/audit-logs");
  expect(events.status).toBe(200);
  expect(events.data.map(({ resource }) => resource.action)).toContain("api_key.create");
  const made = await api.post("/api-keys", { name: "From after" });
  expect((await api.get(`/audit-logs/${made.requestId}`)).status).toBe(200);

  const web = new pg.Client({ connectionString: server.urls.AUDIT_DATABASE_URL });
  await web.connect();
  await expect(web.query("DELETE FROM audit_events")).rejects.toMatchObject({ code: "42501" });
  await web.end();
  expect(server.output().stderr).not.toContain("may change or delete audit events");
  // A command sets up the same roles again while the server runs.
  expect(await server.cli<{ name: string }[]>("org", "list")).toMatchObject([{ name: "From before" }]);
});

test("an event whose partition is missing is stored as soon as the worker has created it", async () => {
  const tables = await query<{ name: string }>(
    server,
    "audit",
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'partitions'::regnamespace
       AND relname LIKE 'audit_events%' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')`,
  );
  expect(tables.length).toBeGreaterThan(1);
  for (const { name } of tables) await query(server, "audit", `DROP TABLE partitions."${name}"`);
  const api = withKey(server, key.secret);
  const made = await api.post("/api-keys", { name: "Without a partition" });
  expect(made.status).toBe(201);
  await eventById(server, made.requestId);
  const { data } = await api.get<AuditEvent>(`/audit-logs/${made.requestId}`);
  expect(data.resource.action).toBe("api_key.create");
});
