import { randomInt } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import type { ApiKey } from "@/lib/api-keys/contract";
import { close, connectClient, makePool, withTransaction } from "@/lib/db/connections";
import { holdLock, lockClasses } from "@/lib/db/hold-lock";
import { type Purpose, purposes } from "@/lib/db/purposes";
import { isUnavailable } from "@/lib/db/unavailable";

const server = sharedServer();
// With the role of the application: the name of these connections is that of the server's own, whose roles another suite checks.
const own = makePool(server.urls.DATABASE_URL, "job");
afterAll(() => own.end());

const pidOf = async (client: pg.ClientBase | pg.Pool) =>
  (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid ?? 0;
const terminate = (pid: number) => query(server, "app", "SELECT pg_terminate_backend($1)", [pid]);
const SHOWN = `SELECT name, setting::integer AS ms FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`;

describe("connections", () => {
  test.each(Object.keys(purposes) as Purpose[])("for the purpose %s have their time limits", async (purpose) => {
    const client = await connectClient(server.urls.AUDIT_DATABASE_URL, purpose);
    try {
      const { rows } = await client.query<{ name: string; ms: number }>(SHOWN);
      expect(Object.fromEntries(rows.map(({ name, ms }) => [name, ms]))).toEqual({
        statement_timeout: purposes[purpose].statementMs,
        lock_timeout: purposes[purpose].lockMs,
        idle_in_transaction_session_timeout: purposes[purpose].idleInTransactionMs,
      });
    } finally {
      await client.end();
    }
  });

  test("read times in UTC, whatever the zone of the database", async () => {
    const url = new URL(server.urls.DATABASE_URL);
    url.searchParams.set("options", "-c timezone=Asia/Tokyo");
    const client = await connectClient(url.href, "write");
    try {
      expect((await client.query("SHOW timezone")).rows).toEqual([{ TimeZone: "UTC" }]);
    } finally {
      await client.end();
    }
  });

  test("that the server closes while in use fail their work, but not the process or the pool", async () => {
    const cut = withTransaction(own, async (client) => {
      await terminate(await pidOf(client));
      await client.query("SELECT 1");
    });
    await expect(cut).rejects.toSatisfy((error) => isUnavailable(error));
    const idle = await pidOf(own);
    await terminate(idle);
    expect(await pidOf(own).catch(() => pidOf(own))).not.toBe(idle);
  });

  test("that the server does not answer are closed", async () => {
    const hanging = withTransaction(own, (client) =>
      client.query({ text: "SELECT pg_sleep(600)", query_timeout: 50 } as pg.QueryConfig),
    );
    await expect(hanging).rejects.toThrow("Query read timeout");
    expect(own.totalCount).toBe(own.idleCount);
  });

  test("whose server is gone are closed without it", async () => {
    const client = await connectClient(server.urls.DATABASE_URL, "write");
    const pid = await pidOf(client);
    process.kill(pid, "SIGSTOP");
    try {
      await close(client);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });
});

describe("connections to a standby", () => {
  // No standby is at hand: a function that is found before PostgreSQL's own says whether the server is one, and a sequence how often
  // it was asked.
  const url = new URL(server.urls.DATABASE_URL);
  url.searchParams.set("options", "-c search_path=stand_in,pg_catalog,public");
  const run = (text: string) => query(server, "app", text);
  const become = (isStandby: boolean) => run(`UPDATE stand_in.server SET is_standby = ${isStandby}`);
  const asked = async () => Number((await run("SELECT last_value FROM stand_in.asked"))[0]?.last_value);
  beforeAll(async () => {
    await run(`CREATE SCHEMA stand_in; CREATE SEQUENCE stand_in.asked; CREATE TABLE stand_in.server AS SELECT false AS is_standby;
      CREATE FUNCTION stand_in.pg_is_in_recovery() RETURNS boolean LANGUAGE sql SECURITY DEFINER
        AS 'SELECT is_standby FROM stand_in.server, nextval(''stand_in.asked'')';
      GRANT USAGE ON SCHEMA stand_in TO PUBLIC`);
  });
  afterAll(() => run("DROP SCHEMA stand_in CASCADE"));

  test("are not used", async () => {
    const pool = makePool(url.href, "write");
    await become(true);
    await expect(pool.query("SELECT 1")).rejects.toSatisfy((error) => isUnavailable(error));
    expect(pool.totalCount).toBe(0);
    await become(false);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  const key = randomInt(1, 2 ** 31 - 1);
  const pidsOf = async (locks: string) =>
    (await run(`SELECT pid FROM pg_locks WHERE ${locks}`)).map(({ pid }) => Number(pid));
  const holders = () => pidsOf(`locktype = 'advisory' AND objid = ${key}`);

  test("hold no lock: it is taken again on a primary", async () => {
    await become(false);
    const lock = await holdLock(url.href, lockClasses.deletionNotice, key, () => {});
    const [first = 0] = await holders();
    await become(true);
    const before = await asked();
    await terminate(first);
    await until("the standby was asked for the lock", async () => (await asked()) > before + 1);
    expect(await holders()).toEqual([]);
    await become(false);
    await until("the lock is held again", async () => (await holders()).length === 1);
    await lock?.release();
    await until("the lock is free", async () => (await holders()).length === 0);
  });

  test("a lock that is released while it is taken again is not held", async () => {
    await become(false);
    const lock = await holdLock(url.href, lockClasses.deletionNotice, key, () => {});
    const [first = 0] = await holders();
    const other = new pg.Client({ connectionString: server.databases.app });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE stand_in.server");
    await terminate(first);
    const waiting = () => pidsOf("relation = 'stand_in.server'::regclass AND NOT granted");
    const [second = 0] = await until("the lock is being taken again", async () => {
      const pids = await waiting();
      return pids.length > 0 && pids;
    });
    await lock?.release();
    await other.query("COMMIT");
    await other.end();
    const ofPid = `SELECT FROM pg_stat_activity WHERE pid = ${second}`;
    await until("its connection is closed", async () => (await run(ofPid)).length === 0);
    expect(await holders()).toEqual([]);
  });
});

describe("transactions", () => {
  test("that throw change nothing and release their connection", async () => {
    const before = await pidOf(own);
    const failed = withTransaction(own, async (client) => {
      await client.query("CREATE TABLE left_over (x integer)");
      throw new Error("ours");
    });
    await expect(failed).rejects.toThrow("ours");
    expect(await query(server, "app", "SELECT to_regclass('left_over') AS name")).toEqual([{ name: null }]);
    expect(await pidOf(own)).toBe(before);
  });

  test("end at their time limits", async () => {
    const slow = withTransaction(own, (client) => client.query("SELECT pg_sleep(600)"), { statementMs: 20 });
    await expect(slow).rejects.toMatchObject({ code: "57014" });
    const written = withTransaction(own, (client) => client.query("CREATE TABLE x (x integer)"), { readOnly: true });
    await expect(written).rejects.toMatchObject({ code: "25006" });
  });

  test("that a server refuses because it only reads do not keep its connection", async () => {
    let pid = 0;
    const refused = withTransaction(own, async (client) => {
      pid = await pidOf(client);
      await client.query("SET TRANSACTION READ ONLY");
      await client.query("CREATE TABLE x (x integer)");
    });
    await expect(refused).rejects.toMatchObject({ code: "25006" });
    expect(await pidOf(own)).not.toBe(pid);
  });
});

test("a request that waits for a lock too long answers 503 with retry_after", async () => {
  const { admin } = await newOrganization(server);
  const { data: key } = await admin.post<ApiKey>("/api-keys", { name: "Locked" });
  const holder = new pg.Client({ connectionString: server.databases.app });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM api_keys WHERE id = $1 FOR UPDATE", [key.id]);
    const answer = await admin.put(`/api-keys/${key.id}`, {
      name: "Changed",
      permission: "read",
      ip_whitelist: [],
      expires_at: null,
    });
    expect([answer.status, answer.error?.code, answer.error?.retry_after]).toEqual([503, "UNAVAILABLE", 5]);
  } finally {
    await holder.end();
  }
  expect((await admin.get<ApiKey>(`/api-keys/${key.id}`)).data.name).toBe("Locked");
});
