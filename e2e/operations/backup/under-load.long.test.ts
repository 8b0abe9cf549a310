import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Load, loggedRequests } from "@/e2e/faults/load";
import { withKey } from "@/e2e/support/api";
import { fillEvents } from "@/e2e/support/fill-events";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { Cluster } from "@/e2e/support/servers/cluster";
import { query, whenDelivered } from "@/e2e/support/servers/databases";
import {
  prepareSealwatch,
  runStart,
  type Sealwatch,
  startPrepared,
  startSealwatch,
} from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import type { SealedLog } from "@/lib/audit-logs/seal/get-contract";
import { verify } from "@/public/sealwatch-verify.mjs";
import { readManifest } from "@/server/backup/manifest";

/** BACKUP_EVENTS=1000000 measures more of them. */
const EVENTS = Number(process.env.BACKUP_EVENTS ?? 200_000);

const folder = mkdtempSync(join(tmpdir(), "sealwatch-backup-"));
const backup = join(folder, "monday");
let first: Cluster;
let second: Cluster;
let server: Sealwatch;
let restored: Sealwatch | undefined;
let organization: Organization;
let env: Record<string, string>;

const urls = (cluster: Cluster) => ({ DATABASE_URL: cluster.url("app"), AUDIT_DATABASE_URL: cluster.url("audit") });

beforeAll(async () => {
  [first, second] = await Promise.all([Cluster.create(), Cluster.create({ migrated: false })]);
  server = await startSealwatch(urls(first));
  organization = await newOrganization(server);
  const [app, audit] = await Promise.all([connect(first.url("app")), connect(first.url("audit"))]);
  await fillEvents({ app, audit }, { organizations: 4, events: EVENTS });
  await Promise.all([app.end(), audit.end()]);
  env = { ...(await prepareSealwatch()).env, ...urls(second) };
});
afterAll(async () => {
  await server?.destroy();
  await restored?.destroy();
  await Promise.all([first?.destroy(), second?.destroy()]);
  rmSync(folder, { recursive: true, force: true });
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Starts a command, and signals it when the database is copying rows. Resolves when it has ended. */
async function interrupt(
  args: string[],
  given: Record<string, string>,
  on: Cluster,
  signal: NodeJS.Signals,
): Promise<void> {
  const { PATH, HOME, TMPDIR } = process.env;
  const child: ChildProcess = spawn(process.execPath, ["server/start.mjs", "--cli", ...args], {
    env: { ...given, PATH, HOME, TMPDIR, NODE_ENV: "test" },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const client = await connect(on.superuserUrl("audit"));
  const databases = [on.url("app"), on.url("audit")].map((url) => new URL(url).pathname.slice(1));
  await until("rows are copied", async () => {
    if (child.exitCode !== null) throw new Error(`the command ended with ${child.exitCode} before it was interrupted`);
    // Also between two tables, when the last statement was a COPY.
    const { rowCount } = await client.query(
      "SELECT FROM pg_stat_activity WHERE application_name = 'sealwatch export' AND query LIKE 'COPY%' AND datname = ANY ($1)",
      [databases],
    );
    return rowCount !== 0;
  });
  child.kill(signal);
  // Under npm, Ctrl-C comes twice: from the terminal and from npm.
  child.kill(signal);
  await ended;
  await client.end();
}

test("a backup under load has every event answered before it, and a restore goes on from there", async () => {
  const channel = { type: "webhook", name: "Kept", settings: { url: "https://127.0.0.1:1/secret-path" } };
  expect((await organization.admin.post("/notification-channels", channel)).status).toBe(201);
  const load = await Load.start(server);
  await load.answered(50);

  await interrupt(["backup", backup], server.plain.env, first, "SIGINT");
  expect([existsSync(backup), existsSync(`${backup}.incomplete`)]).toEqual([false, false]);

  const answered = load.calls.flatMap(({ answer }) => answer?.requestId ?? []);
  const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const begun = performance.now();
    const result = await work();
    console.info(`${what} took ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
    return result;
  };
  const { code, stdout, stderr } = await timed("The backup", () => server.command(["backup", backup]));
  console.info(stdout);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`Not in it, and needed for a restore: ${join(server.dataDir, "encryption.key")}`);
  await load.answered(50);
  await load.stop();
  expect(load.calls.filter(({ answer }) => answer === null || answer.status >= 500)).toEqual([]);
  const { vkey } = (await organization.read.get<SealedLog>("/audit-logs/seal")).data;

  // Killed while it fills the databases, a restore leaves them empty.
  await interrupt(["restore", backup], env, second, "SIGKILL");
  // PostgreSQL notices a little later that a process was killed, and keeps its locks until then.
  const again = await until("the locks of the killed restore are free", async () => {
    const outcome = await runStart(["--cli", "restore", backup, "--json"], env);
    return !outcome.stderr.includes("is being set up by another process") && outcome;
  });
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('"epoch":2') });

  // Another machine without databases, with the keys alone.
  const prepared = await prepareSealwatch();
  const { DATA_DIR = "" } = prepared.env;
  mkdirSync(DATA_DIR, { mode: 0o711 });
  for (const name of ["encryption.key", "audit-seal.key"])
    copyFileSync(join(server.dataDir, name), join(DATA_DIR, name));
  await server.stop();
  const outcome = await timed("The restore", () => runStart(["--cli", "restore", backup], prepared.env));
  expect(outcome).toMatchObject({ code: 0 });
  restored = await startPrepared(prepared);

  await whenDelivered(restored);
  const events = (await loggedRequests(restored, load)).map(({ id }) => id);
  expect(new Set(events).size).toBe(events.length);
  expect(answered.filter((id) => !events.includes(id))).toEqual([]);
  const filled = "SELECT count(*)::integer AS events FROM audit_events WHERE path LIKE '/api/v1/certificates/%'";
  expect(await query(restored, "audit", filled)).toEqual([{ events: EVENTS }]);

  const admin = withKey(restored, organization.adminKey.secret);
  const made = await admin.post("/api-keys", { name: "After the restore" });
  expect(made.status).toBe(201);
  // What is encrypted can be opened with the kept key.
  const [kept] = (await admin.get<{ id: string }[]>("/notification-channels")).data;
  expect((await admin.post(`/notification-channels/${kept?.id}/rotate-secret`)).status).toBe(200);
  const state = await until("the new epoch is signed", async () => {
    const { data } = await admin.get<SealedLog>("/audit-logs/seal");
    return data.checkpoint !== null && data;
  });
  expect(state).toMatchObject({ epoch: 2, refused: null });
  expect(state.vkey).not.toBe(vkey);
  for (const { organizationId } of load.callers)
    expect(await restored.cli("audit", "verify", "--org", organizationId)).toEqual({ size: expect.any(Number) });
  const bundle = await fetch(`${restored.url}/api/v1/audit-logs/export?format=ndjson&include=seal`, {
    headers: { authorization: `Bearer ${organization.adminKey.secret}` },
  });
  expect(await verify([Buffer.from(await bundle.arrayBuffer())], { vkey: state.vkey ?? "" })).toMatchObject({
    code: 0,
  });
  expect(Object.keys(readManifest(backup).sealed_log.heads)).toContain(organization.id);
});
