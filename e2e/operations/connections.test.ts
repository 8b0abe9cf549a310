import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import type { ApiKey } from "@/lib/api-keys/contract";
import { connectClient, makePool, withTransaction } from "@/lib/db/connections";
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
