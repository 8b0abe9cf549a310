import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Cluster } from "@/e2e/support/servers/cluster";
import { prepareSealwatch, runStart } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { configure } from "@/lib/config";
import { migrateDatabases } from "@/server/database/databases";
import { MIGRATION_LOCK, migrate } from "@/server/database/migrate";

let cluster: Cluster;
let other: pg.Client;
let folder: string;

beforeAll(async () => {
  cluster = await Cluster.create();
});
afterAll(() => cluster.destroy());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sealwatch-migrations-"));
  other = new pg.Client({ connectionString: cluster.url("app"), application_name: "somebody else" });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  rmSync(folder, { recursive: true });
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

async function rowsOf(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: cluster.superuserUrl("app") });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

describe("migrations", () => {
  test("that cannot get the lock end with a sentence that names its holder", async () => {
    await other.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await expect(migrate(cluster.url("app"), folder, { lockTimeoutMs: 200 })).rejects.toMatchObject({
      name: "Refusal",
      message: expect.stringMatching(
        /^The database sealwatch could not be migrated: the session \d+ of sealwatch_app \("somebody else"\) has held the migration lock for 0\.2 s\./,
      ),
    });
  });

  test("wait for a table without blocking later statements, and continue when it is free", async () => {
    write("1_a", "CREATE TABLE busy (id int)");
    await migrate(cluster.url("app"), folder);
    write("2_b", "ALTER TABLE busy ADD COLUMN name text");
    await other.query("BEGIN; SELECT * FROM busy");
    const migrated = migrate(cluster.url("app"), folder);
    const queued = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'busy'::regclass";
    await until("the migration waits", async () => (await rowsOf(queued)).length === 1);
    // It gives up before other statements behind it would time out.
    await rowsOf("SET lock_timeout = '5s'; SELECT * FROM busy");
    await until("the migration waits again", async () => (await rowsOf(queued)).length === 1);
    await other.query("COMMIT");
    await migrated;
    expect(await rowsOf("SELECT attname FROM pg_attribute WHERE attrelid = 'busy'::regclass AND attnum > 0")).toEqual([
      { attname: "id" },
      { attname: "name" },
    ]);
  });

  test("lock all their tables first, so that no other transaction is cancelled for a deadlock", async () => {
    write("1_one_and_two", "CREATE TABLE one (id int); CREATE TABLE two (id int)");
    await migrate(cluster.url("app"), folder);
    // A migration that had locked only `one` would wait for `two` when its holder already waits.
    const held = "EXISTS (SELECT FROM pg_locks WHERE relation = 'two'::regclass AND pid <> pg_backend_pid())";
    const awaited = "EXISTS (SELECT FROM pg_locks WHERE relation = 'one'::regclass AND NOT granted)";
    const pause = `DO $$ BEGIN WHILE ${held} AND NOT ${awaited} LOOP PERFORM pg_sleep(0.01); END LOOP; END $$`;
    write("2_names", `ALTER TABLE one ADD COLUMN name text; ${pause}; ALTER TABLE two ADD COLUMN name text`);
    await other.query("BEGIN; SELECT * FROM two");
    const migrated = migrate(cluster.url("app"), folder);
    const begun = "SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'one'::regclass";
    await until("the migration has begun", async () => (await rowsOf(begun)).length === 1);
    await other.query("SELECT * FROM one");
    await other.query("COMMIT");
    await migrated;
    expect(await rowsOf("SELECT id, name FROM one NATURAL JOIN two")).toEqual([]);
  });

  test("begin again after a deadlock over tables that they do not name", async () => {
    write("1_four_and_five", "CREATE TABLE four (id int); CREATE TABLE five (id int)");
    await migrate(cluster.url("app"), folder);
    const altered = ["fo' || 'ur", "fi' || 've"].map((name) => `EXECUTE 'ALTER TABLE ${name} ADD COLUMN name text'`);
    write("2_unnamed", `DO $$ BEGIN ${altered.join("; ")}; END $$`);
    const rival = new pg.Client({ connectionString: cluster.superuserUrl("app") });
    await rival.connect();
    // So that the migration is cancelled, not this transaction.
    await rival.query("SET deadlock_timeout = '1min'; BEGIN; SELECT * FROM five");
    const migrated = migrate(cluster.url("app"), folder);
    const queued = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'five'::regclass";
    await until("the migration waits", async () => (await rowsOf(queued)).length === 1);
    await rival.query("SELECT * FROM four");
    await rival.query("COMMIT");
    await rival.end();
    await migrated;
    expect(await rowsOf("SELECT id, name FROM four NATURAL JOIN five")).toEqual([]);
  });

  test("that fail are named, and change nothing", async () => {
    write("3_c", "CREATE TABLE left_behind (id int); SELECT 1 / 0");
    await expect(migrate(cluster.url("app"), folder)).rejects.toThrow(
      "Migration 3_c failed and was rolled back: division by zero",
    );
    expect(await rowsOf("SELECT to_regclass('left_behind') AS found")).toEqual([{ found: null }]);
  });

  test("whose connection breaks while a command waits for the lock end the command with a sentence", async () => {
    await other.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const { env } = await prepareSealwatch({
      DATABASE_URL: cluster.url("app"),
      AUDIT_DATABASE_URL: cluster.url("audit"),
    });
    const command = runStart(["--cli", "org", "list"], env);
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
      WHERE datname = 'sealwatch' AND locktype = 'advisory' AND NOT granted`;
    await until("the command waits for the lock and is cut", async () => (await rowsOf(cut)).length === 1);
    const { code, stdout, stderr } = await command;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("The database sealwatch could not be migrated: ");
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test("refuse two URLs of the audit database that lead to different databases", async () => {
    configure({
      DATABASE_URL: cluster.url("app"),
      AUDIT_DATABASE_URL: cluster.auditWebUrl,
      AUDIT_MAINTENANCE_DATABASE_URL: cluster.url("audit"),
    });
    await migrateDatabases();
    const elsewhere = new URL(cluster.superuserUrl("app"));
    elsewhere.pathname = "/postgres";
    configure({ AUDIT_DATABASE_URL: elsewhere.href });
    await expect(migrateDatabases()).rejects.toThrow(
      "AUDIT_DATABASE_URL and AUDIT_MAINTENANCE_DATABASE_URL must lead to the same database.",
    );
  });
});
