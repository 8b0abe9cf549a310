import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Cluster } from "@/e2e/support/servers/cluster";
import { prepareSealwatch, runStart } from "@/e2e/support/servers/sealwatch";
import { auditPrivileges } from "@/server/database/audit-privileges";

let cluster: Cluster;

/** The SQL of a documentation page, with the passwords and names of this suite. */
function sqlOf(page: string): string {
  const [, sql = ""] = /```sql\n([\s\S]+?)```/.exec(readFileSync(page, "utf8")) ?? [];
  return sql.replaceAll("…", "of-a-test").replaceAll(/\bsealwatch/g, "acme");
}
const create = sqlOf("docs/operations/production.md");
const change = sqlOf("docs/operations/upgrade.md");

beforeAll(async () => {
  cluster = await Cluster.create();
  await run(create ?? "");
});
afterAll(() => cluster.destroy());

async function run(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.superuserUrl("app") });
  await client.connect();
  // One by one, because databases cannot be created in a transaction.
  for (const statement of sql.split(";").filter((text) => text.trim())) await client.query(statement);
  await client.end();
}

function urlOf(role: string, database: string): string {
  const url = new URL(cluster.superuserUrl("app"));
  return Object.assign(url, { username: role, password: "of-a-test", pathname: `/${database}` }).href;
}

async function command(env: Record<string, string>): Promise<void> {
  const prepared = await prepareSealwatch(env);
  const { code, stderr } = await runStart(["--cli", "org", "list"], prepared.env);
  expect([code, stderr.includes("Refusal")], stderr).toEqual([0, false]);
}

async function privilegesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { excess } = await auditPrivileges(client);
  await client.end();
  return excess;
}

describe("an operator's own PostgreSQL", () => {
  const owner = { DATABASE_URL: "", AUDIT_DATABASE_URL: "", AUDIT_MAINTENANCE_DATABASE_URL: "" };

  test("set up with the documented statements gives web processes a role that can only read and append", async () => {
    Object.assign(owner, {
      DATABASE_URL: urlOf("acme", "acme"),
      AUDIT_DATABASE_URL: urlOf("acme_audit_web", "acme_audit"),
      AUDIT_MAINTENANCE_DATABASE_URL: urlOf("acme_audit_owner", "acme_audit"),
    });
    await command(owner);
    expect(await privilegesOf(owner.AUDIT_DATABASE_URL)).toEqual([]);
    const web = new pg.Client({ connectionString: owner.AUDIT_DATABASE_URL });
    await web.connect();
    expect((await web.query("SELECT FROM audit_events, audit_rollups")).rowCount).toBe(0);
    await expect(web.query("TRUNCATE audit_events")).rejects.toMatchObject({ code: "42501" });
    await web.end();
  });

  test("with one role for everything works, with a warning", async () => {
    await run("CREATE DATABASE acme_single OWNER acme");
    const url = urlOf("acme", "acme_single");
    await command({ DATABASE_URL: owner.DATABASE_URL, AUDIT_DATABASE_URL: url });
    expect(await privilegesOf(url)).toEqual(["CREATE", "DELETE", "TRUNCATE", "UPDATE", "drop tables"]);
  });

  test("can be changed from one role to two as documented", async () => {
    await run((change ?? "").replaceAll("acme_audit_web", "acme_late_web").replaceAll("acme_audit", "acme_single"));
    const late = urlOf("acme_late_web", "acme_single");
    await command({
      DATABASE_URL: owner.DATABASE_URL,
      AUDIT_DATABASE_URL: late,
      AUDIT_MAINTENANCE_DATABASE_URL: urlOf("acme", "acme_single"),
    });
    expect(await privilegesOf(late)).toEqual([]);
  });

  test("shows the privileges of a role through another role that it is a member of", async () => {
    await run("CREATE ROLE acme_auditor; GRANT acme_auditor TO acme_audit_web");
    const client = new pg.Client({ connectionString: urlOf("acme_audit_owner", "acme_audit") });
    await client.connect();
    await client.query("GRANT UPDATE (path), DELETE ON audit_events TO acme_auditor");
    await client.end();
    expect(await privilegesOf(owner.AUDIT_DATABASE_URL)).toEqual(["DELETE", "UPDATE"]);
  });
});
