import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { webPrivileges } from "@/server/database/audit-privileges";
import { migrate } from "@/server/database/migrate";

const server = sharedServer();
let organization: Organization;
let web: pg.Client;
let partition: string;

/** The environment of a process, read from outside. */
const environmentOf = (pid: number | undefined) =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

beforeAll(async () => {
  organization = await newOrganization(server);
  // With the privileges of a web process, and no others.
  web = new pg.Client({ connectionString: environmentOf(server.pids().web).AUDIT_DATABASE_URL });
  await web.connect();
  const [found] = await query<{ name: string }>(
    server,
    "audit",
    `SELECT min(relname) AS name FROM pg_class WHERE relnamespace = 'partitions'::regnamespace AND relkind = 'r'
       AND relname LIKE 'audit_events%' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')`,
  );
  // Not an old one, which the worker may drop meanwhile.
  partition = found?.name ?? "";
});
afterAll(() => web.end());

describe("the role of web processes in the audit database", () => {
  test("is their only one: neither the owner's URL nor the superuser's password is in their environment", () => {
    const { superuser, owner } = {
      superuser: server.databases.audit,
      owner: server.urls.AUDIT_MAINTENANCE_DATABASE_URL,
    };
    const secrets = [superuser, owner].map((url) => new URL(url ?? "").password);
    const text = JSON.stringify(environmentOf(server.pids().web));
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(30);
      expect(text).not.toContain(secret);
    }
    const worker = environmentOf(server.pids().worker);
    expect(worker.AUDIT_MAINTENANCE_DATABASE_URL).toBe(owner);
    expect(JSON.stringify(worker)).not.toContain(secrets[0]);
  });

  test("is the role of their connections, and the worker has its own; neither is a superuser", async () => {
    await organization.admin.get("/api-keys");
    const rows = await query<{ role: string; superuser: boolean }>(
      server,
      "audit",
      `SELECT DISTINCT usename AS role, rolsuper AS superuser FROM pg_stat_activity JOIN pg_roles ON rolname = usename
       WHERE datname IN ('sealwatch', 'sealwatch_audit') AND application_name LIKE 'sealwatch %'
         AND application_name NOT LIKE 'sealwatch migration'`,
    );
    const names = rows.map(({ role }) => role);
    expect(names.filter((name) => name !== "sealwatch_audit_owner").sort()).toEqual([
      "sealwatch_app",
      "sealwatch_audit_web",
    ]);
    expect(rows.filter(({ superuser }) => superuser)).toEqual([]);
  });

  test("has an explicit list of privileges for every table", async () => {
    const tables = await query<{ name: string }>(
      server,
      "audit",
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')",
    );
    expect(Object.keys(webPrivileges).sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  const tables = Object.keys(webPrivileges);
  const ofInstallation = /^audit_seal_(installation|rounds|round_blocks|stamps|witnesses|cosignatures)$/;
  const columnOf = (table: string) =>
    table === "_prisma_migrations" ? "id" : ofInstallation.test(table) ? "epoch" : "organization_id";
  test.each([
    ...tables.flatMap((table) => [
      `UPDATE ${table} SET ${columnOf(table)} = ${columnOf(table)}`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
      `DROP TABLE ${table}`,
      `ALTER TABLE ${table} ADD COLUMN mine text`,
      `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
      `CREATE INDEX ON ${table} (${columnOf(table)})`,
      `CREATE TRIGGER mine BEFORE INSERT ON ${table} EXECUTE FUNCTION tsvector_update_trigger()`,
      `DO $$ BEGIN LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; END $$`,
    ]),
    "INSERT INTO audit_rollups SELECT * FROM audit_rollups",
    "INSERT INTO audit_deltas SELECT * FROM audit_deltas ON CONFLICT (organization_id, id) DO UPDATE SET start = now()",
    "MERGE INTO audit_deltas d USING audit_deltas s ON d.id = s.id WHEN MATCHED THEN DELETE",
    "SELECT * FROM audit_events FOR UPDATE",
    "CREATE TABLE mine (id int)",
    "CREATE TEMPORARY TABLE mine (id int)",
    "CREATE SCHEMA mine",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE OR REPLACE FUNCTION audit_text(path text, query text, user_agent text, error_message text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '' $$",
    "CREATE EXTENSION dblink",
    "DROP SCHEMA partitions CASCADE",
    "DROP DATABASE sealwatch_audit",
    "SELECT audit_make_day(30::smallint, current_date)",
    "SELECT pg_read_file('postgresql.conf')",
    "COPY audit_events TO PROGRAM 'cat'",
    "COPY audit_rollups FROM STDIN",
    "SELECT lo_import('/etc/hostname')",
    "ALTER SYSTEM SET fsync = off",
    "SET session_replication_role = replica",
    "CREATE ROLE mine SUPERUSER",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "GRANT sealwatch_audit_owner TO CURRENT_USER",
    "SET ROLE sealwatch_audit_owner",
    "SET ROLE sealwatch",
    "SET ROLE sealwatch_app",
    "SET SESSION AUTHORIZATION sealwatch_audit_owner",
    "DO $$ BEGIN DELETE FROM audit_events; END $$",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'sealwatch_audit_owner'",
  ])("is refused: %s", async (statement) => {
    const error = await web.query(statement).then(
      () => ({ code: "done" }),
      (thrown: { code: string }) => thrown,
    );
    // No privilege, not the owner, and for the last one another role's session.
    expect(error.code, JSON.stringify(error)).toBe("42501");
  });

  test.each(["SELECT count(*) FROM", "DELETE FROM", "INSERT INTO", "TRUNCATE", "DROP TABLE"])(
    "cannot access a partition directly: %s",
    async (verb) => {
      const tail = verb.startsWith("INSERT") ? " SELECT * FROM audit_events" : "";
      await expect(web.query(`${verb} partitions."${partition}"${tail}`)).rejects.toMatchObject({ code: "42501" });
    },
  );

  test("cannot migrate, and the refusal names the setting that is missing", async () => {
    await expect(migrate(server.urls.AUDIT_DATABASE_URL, "prisma/audit/migrations")).rejects.toThrow(
      /^The role sealwatch_audit_web may not migrate the database sealwatch_audit: permission denied .* AUDIT_MAINTENANCE_DATABASE_URL/,
    );
  });

  test("cannot connect to another database of the cluster", async () => {
    for (const name of ["sealwatch", "postgres", "template1"]) {
      const url = new URL(server.urls.AUDIT_DATABASE_URL);
      url.pathname = `/${name}`;
      const client = new pg.Client({ connectionString: url.href });
      await expect(client.connect()).rejects.toMatchObject({ code: "42501" });
    }
  });

  test("does not let the role of the monitoring database connect", async () => {
    const url = new URL(server.urls.DATABASE_URL);
    url.pathname = "/sealwatch_audit";
    await expect(new pg.Client({ connectionString: url.href }).connect()).rejects.toMatchObject({ code: "42501" });
  });

  test("may append and read", async () => {
    const id = (await organization.admin.get("/api-keys")).requestId;
    const values = [organization.id, id];
    await eventById(server, id);
    const before = await web.query("SELECT * FROM audit_events WHERE organization_id = $1 AND id = $2", values);
    expect(before.rows).toHaveLength(1);
    await web.query("BEGIN");
    const { rowCount } = await web.query(
      `INSERT INTO audit_events SELECT (jsonb_populate_record(e, jsonb_build_object('id', $3::uuid))).* FROM audit_events e
       WHERE organization_id = $1 AND id = $2 ON CONFLICT DO NOTHING RETURNING id`,
      [...values, id.replace(/.{4}$/, "0000")],
    );
    await web.query("ROLLBACK");
    expect(rowCount).toBe(1);
  });
});

test("the start does not warn about roles that it set up itself", () => {
  expect(server.output().stderr).not.toContain("may change or delete audit events");
});
