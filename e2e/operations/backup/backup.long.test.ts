import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentsOf } from "@/e2e/operations/backup/contents";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { Cluster } from "@/e2e/support/servers/cluster";
import { prepareSealwatch, runStart } from "@/e2e/support/servers/sealwatch";
import { configure } from "@/lib/config";
import { idAt, newId } from "@/lib/ids";
import { plans } from "@/lib/plans";
import { DAY_MS } from "@/lib/time/units";
import { createBackup, verifyFiles } from "@/server/backup/create-backup";
import { type Manifest, readManifest } from "@/server/backup/manifest";
import { migrationsOf, restoreBackup } from "@/server/backup/restore-backup";
import { assertRoomForLocks, locksOf } from "@/server/backup/room-for-locks";
import { markRestore } from "@/server/database/migrate";

const folder = mkdtempSync(join(tmpdir(), "sealwatch-backup-"));
const backup = join(folder, "monday");
let [from, to]: Cluster[] = [];
let environments: Record<"from" | "to", Record<string, string>>;
const organization = newId();

const urls = (cluster: Cluster) => ({
  DATABASE_URL: cluster.url("app"),
  AUDIT_DATABASE_URL: cluster.auditWebUrl,
  AUDIT_MAINTENANCE_DATABASE_URL: cluster.url("audit"),
});

/** Runs a command on the databases of one of the clusters. */
async function run(which: "from" | "to", ...args: string[]) {
  return runStart(["--cli", ...args], environments[which]);
}

const refused = (message: unknown) => ({ code: 1, stdout: "", stderr: message });

beforeAll(async () => {
  [from, to] = await Promise.all([Cluster.create(), Cluster.create({ migrated: false })]);
  const [first, second] = await Promise.all([prepareSealwatch(urls(from)), prepareSealwatch(urls(to))]);
  environments = { from: first.env, to: second.env };
  // Partitions are made by the day; those of the prepared databases may be of yesterday.
  await clearOfBoundary(DAY_MS, 60_000);
  expect(await run("from", "org", "list")).toMatchObject({ code: 0 });
  await fill(from);
});
afterAll(async () => {
  await Promise.all([from?.destroy(), to?.destroy()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Values that a file of rows must bring back as they are. */
async function fill(cluster: Cluster): Promise<void> {
  const [app, audit] = [cluster.url("app"), cluster.url("audit")].map(
    (connectionString) => new pg.Client({ connectionString }),
  );
  await Promise.all([app?.connect(), audit?.connect()]);
  const name = "Tab\t, line\n, \\N, \\., \u{1f510} and 'quotes'";
  await app?.query("INSERT INTO organizations (id, name, slug, created_at) VALUES ($1, $2, 'kept', now())", [
    organization,
    name,
  ]);
  await app?.query(
    `INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
       interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, created_at, updated_at, next_check_at)
     SELECT $1, gen_random_uuid(), 'host' || n, 'tcp', '127.0.0.1:1', 'GET', '{}', '{}', true, 60, 1, 1, 1, '{}', now(), now(), now()
     FROM generate_series(1, 20) AS n`,
    [organization],
  );
  const person = newId();
  await app?.query(
    "INSERT INTO users (id, issuer, subject, email, name, created_at) VALUES ($1, 'https://id.test', 's', 's@example.test', 'S', now())",
    [person],
  );
  await app?.query(
    "INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ($1, $2, now(), now() + interval '1 hour')",
    [newId(), person],
  );
  await app?.query("SELECT setval('billing_read_numbers', 41)");
  await audit?.query("SELECT audit_make_day(90::smallint, '2026-02-28')");
  for (let n = 0; n < 3; n++) {
    const id = idAt(Date.parse("2026-02-28T12:00:00Z") + n);
    await audit?.query(
      `INSERT INTO audit_events (organization_id, retention_days, id, occurred_at, path, auth_type, flags, is_security_event, tokens, details)
       VALUES ($1, 90, $2, now(), $3, 'anonymous', '{"a,b",NULL}', true, '{}', '{"a": [1, null]}')`,
      [organization, id, name],
    );
    await audit?.query("INSERT INTO audit_bodies (organization_id, retention_days, id, body) VALUES ($1, 90, $2, $3)", [
      organization,
      id,
      Buffer.from([0, 9, 10, 13, 92, 255]),
    ]);
  }
  await Promise.all([app?.end(), audit?.end()]);
}

describe("a backup", () => {
  test("has both databases in a folder that only its owner can read", async () => {
    const { code, stdout, stderr } = await run("from", "backup", backup, "--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ folder: backup, rows: expect.any(Number) });
    expect(existsSync(`${backup}.incomplete`)).toBe(false);
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    const files = Object.values(readManifest(backup).databases).flatMap(({ tables }) => tables);
    for (const { file } of files) if (file !== null) expect(statSync(join(backup, file)).mode & 0o777).toBe(0o600);
    // Neither the password of a database nor a key.
    const text = readFileSync(join(backup, "manifest.json"), "utf8");
    for (const url of Object.values(urls(from as Cluster))) expect(text).not.toContain(new URL(url).password);
  });

  test("replaces no folder, and says what an interrupted one has left", async () => {
    await expect(createBackup(backup)).rejects.toThrow(`${backup} exists already. Name a folder that does not exist.`);
    const other = join(folder, "tuesday");
    writeFileSync(`${other}.incomplete`, "");
    await expect(createBackup(other)).rejects.toThrow(
      `${other}.incomplete was left by an interrupted backup. Delete it, unless another backup is running.`,
    );
  });

  test("made while the key of secrets is changed names both keys, and says that another backup is needed", async () => {
    const { DATA_DIR = "" } = environments.from;
    const before = join(DATA_DIR, "encryption-before.key");
    mkdirSync(DATA_DIR, { recursive: true });
    writeFileSync(join(DATA_DIR, "encryption.key"), Buffer.alloc(32, 7).toString("base64"));
    writeFileSync(before, Buffer.alloc(32, 8).toString("base64"));
    const { code, stdout, stderr } = await run("from", "backup", join(folder, "wednesday"));
    rmSync(before);
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining(before),
      expect.stringContaining("Back up again after `encryption rotate` has ended."),
    ]);
  });

  test("of databases without anything is refused", async () => {
    expect(await run("to", "backup", join(folder, "nothing"))).toEqual(
      refused("The monitoring database is empty: there is nothing to back up.\n"),
    );
    expect(existsSync(join(folder, "nothing"))).toBe(false);
  });
});

describe("a restore", () => {
  /** Checks a changed copy of the manifest, as a restore does before it opens databases. */
  async function check(change: (manifest: Manifest) => void = () => {}): Promise<void> {
    const file = join(backup, "manifest.json");
    const text = readFileSync(file, "utf8");
    const manifest = JSON.parse(text) as Manifest;
    change(manifest);
    writeFileSync(file, JSON.stringify(manifest));
    try {
      migrationsOf(readManifest(backup));
      await verifyFiles(backup, readManifest(backup));
    } finally {
      writeFileSync(file, text);
    }
  }

  test("refuses what is not a backup, and what this release cannot read", async () => {
    expect(() => readManifest(folder)).toThrow(`${folder} is not a backup: it has no manifest.json.`);
    await expect(check((manifest) => Object.assign(manifest, { format: 2 }))).rejects.toThrow(
      "manifest.json was written by a newer release. Restore with that release.",
    );
    await expect(
      check(({ databases }) => databases.audit.migrations.push({ name: "2099", checksum: "" })),
    ).rejects.toThrow(
      /^The backup is of release \S+, whose migration 2099 of the audit database is not in this release\./,
    );
    await expect(
      check(({ databases }) => {
        for (const branch of databases.audit.branches) branch.bound = "FOR VALUES IN (30); DROP TABLE audit_events";
      }),
    ).rejects.toThrow("manifest.json is damaged: databases.audit.branches.0.bound: ");
  });

  test("refuses files that are cut, changed, missing or of another backup", async () => {
    await check();
    const table = readManifest(backup).databases.monitoring.tables.find(({ name }) => name === "uptime_monitors");
    const file = join(backup, table?.file ?? "");
    const bytes = readFileSync(file);
    const [middle] = [Math.floor(bytes.length / 2)];
    const flipped = Buffer.from(bytes).fill(bytes.readUInt8(middle) ^ 1, middle, middle + 1);
    for (const wrong of [bytes.subarray(0, -20), bytes.subarray(0, 0), flipped, gzipSync("other rows\n")]) {
      writeFileSync(file, wrong);
      await expect(check()).rejects.toThrow(file);
    }
    rmSync(file);
    await expect(check()).rejects.toThrow(`${file} is missing.`);
    writeFileSync(file, bytes);
  });

  /** A manifest of this backup with the partitions of many more days, none of which has rows. */
  function ofManyDays(days: number): Manifest {
    const manifest = readManifest(backup);
    const empty = manifest.databases.audit.tables.filter(({ partition }) => partition?.of.endsWith("_90"));
    const more = Array.from({ length: days }, (_, n) =>
      empty.map((table) => ({ ...table, name: `${table.name}_${n}` })),
    );
    manifest.databases.audit.tables.push(...more.flat());
    return manifest;
  }

  test("has room for the partitions of all plans, and is refused before the first row where there is too little", async () => {
    const audit = new pg.Client({ connectionString: from?.url("audit") ?? "" });
    await audit.connect();
    try {
      await audit.query("BEGIN");
      const locks = async () => {
        const { rows } = await audit.query<{ held: number }>(
          "SELECT count(DISTINCT (relation, classid, objid))::integer AS held FROM pg_locks WHERE pid = pg_backend_pid()",
        );
        return rows[0]?.held ?? 0;
      };
      await audit.query("SELECT audit_make_day(90::smallint, '2026-03-01')");
      const before = await locks();
      await audit.query("SELECT audit_make_day(90::smallint, '2026-03-02'::date + n) FROM generate_series(0, 19) AS n");
      const { tables } = ofManyDays(20).databases.audit;
      const ofTwentyDays = await locksOf(audit, tables.slice(-60));
      // A few are for catalogues.
      expect(Math.abs((await locks()) - before - ofTwentyDays)).toBeLessThan(10);
      await audit.query("ROLLBACK");
      const allDays = Object.values(plans).reduce((sum, { auditRetentionDays }) => sum + auditRetentionDays + 10, 0);
      await assertRoomForLocks(audit, "audit", ofManyDays(allDays).databases.audit.tables);
    } finally {
      await audit.end();
    }
    configure(urls(to as Cluster));
    await expect(restoreBackup(backup, ofManyDays(10_000), "")).rejects.toThrow(
      /^The audit database has so many partitions that its restore needs 15\d{4} locks, and this PostgreSQL has room for 51200\. Set its max_locks_per_transaction to at least 7\d\d, and restart it\. Nothing was changed\.$/,
    );
  });

  test("refuses databases that are not empty", async () => {
    const { code, stderr } = await run("from", "restore", backup);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The monitoring database sealwatch is not empty: it has \S+\. Create new databases, .* Nothing was changed\.\n$/,
    );
  });

  test("of empty databases brings back everything except sessions, and begins a new epoch", async () => {
    const { code, stdout, stderr } = await run("to", "restore", backup, "--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ epoch: 2 });
    for (const database of ["app", "audit"] as const) {
      const [before, after] = await Promise.all(
        [from, to].map((cluster) => contentsOf(cluster?.superuserUrl(database) ?? "")),
      );
      expect(after?.definitions).toEqual(before?.definitions);
      const changed = Object.keys(before?.rows ?? {}).filter((name) => before?.rows[name] !== after?.rows[name]);
      expect(changed).toEqual(database === "app" ? ["sealed_heads", "sessions"] : ["audit_seal_installation"]);
    }
  });

  test("that was not finished keeps Sealwatch from starting on what it left", async () => {
    const client = new pg.Client({ connectionString: to?.url("audit") ?? "" });
    await client.connect();
    await markRestore(client, newId());
    expect(await run("to", "org", "list")).toEqual(
      refused(
        "A restore into the database sealwatch_audit was not finished. Create both databases anew, and restore again.\n",
      ),
    );
    await client.end();
  });
});
