import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { eventById, eventsOf, query } from "@/e2e/support/databases";
import { newOrganization } from "@/e2e/support/organization";
import { startSealwatch } from "@/e2e/support/sealwatch";
import { until } from "@/e2e/support/until";

const server = await startSealwatch();
afterAll(() => server.destroy());

/** Lets nobody into databases and throws out whoever is there, or lets them in again. Locks and leases stay held. */
async function setOpen(databases: string[], isOpen: boolean): Promise<void> {
  const url = new URL(server.databases.app);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  for (const name of databases) {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isOpen}`);
    if (isOpen) continue;
    const sql =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'sealwatch'";
    await client.query(sql, [name]);
  }
  await client.end();
}

const rate_limits = { store: "memory", available: true };
const READY = { status: "ok", checks: { database: "ok", audit_database: "ok" }, rate_limits };

test("while the audit database is away requests are served, and their events arrive later, once", async () => {
  const organization = await newOrganization(server);
  const target = await organization.newKey();
  await setOpen(["sealwatch_audit"], false);

  const done = [
    await organization.read.get("/api-keys"),
    await organization.admin.post("/api-keys", "not json"),
    await organization.admin.post(`/api-keys/${target.id}/rotate`),
    await organization.read.post("/api-keys"),
  ];
  expect(done.map(({ status }) => status)).toEqual([200, 400, 200, 403]);
  const log = await organization.read.get("/audit-logs");
  expect([log.status, log.error.code]).toEqual([503, "UNAVAILABLE"]);
  expect(log.header("retry-after")).toBe(String(log.error.retry_after));
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: "unavailable", checks: { database: "ok", audit_database: "unavailable" }, rate_limits },
  ]);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

  await setOpen(["sealwatch_audit"], true);
  const sent = [...done, log].map(({ requestId }) => requestId);
  const events = await until(
    "all events arrived",
    async () => {
      const all = (await eventsOf(server, organization.id)).filter(({ method }) => method !== null);
      return all.length >= sent.length && all;
    },
    30_000,
  );
  expect(events.map(({ id }) => id).sort()).toEqual(sent.sort());
  expect(events.find(({ id }) => id === done[1]?.requestId)?.body?.toString()).toBe("not json");
  expect(events.find(({ id }) => id === done[2]?.requestId)).toMatchObject({
    flags: ["key_rotated"],
    status_code: 200,
  });
  await until("the outbox is empty", async () => (await query(server, "app", "SELECT FROM audit_outbox")).length === 0);
  const after = await organization.read.get("/audit-logs?limit=200");
  expect(after.status).toBe(200);
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual(READY);
});

test("while the monitoring database is away requests are refused, and that is in the log", async () => {
  const organization = await newOrganization(server);
  await setOpen(["sealwatch"], false);
  const answer = await organization.read.get("/api-keys");
  expect([answer.status, answer.error.code]).toEqual([503, "UNAVAILABLE"]);
  expect(await eventById(server, answer.requestId)).toMatchObject({ status_code: 503, error_code: "UNAVAILABLE" });
  await setOpen(["sealwatch"], true);
  await until("requests work again", async () => (await organization.read.get("/api-keys")).status === 200);
});

test("while both are away nothing is begun: 503 in the contract's shape, and all is well again after", async () => {
  const organization = await newOrganization(server);
  await setOpen(["sealwatch", "sealwatch_audit"], false);
  const answers = [
    await organization.read.get("/api-keys"),
    await organization.admin.post("/api-keys", { name: "x" }),
    await organization.read.get("/nowhere"),
  ];
  for (const answer of answers) {
    expect([answer.status, answer.error.code]).toEqual([503, "UNAVAILABLE"]);
    expect(answer.header("retry-after")).toBe(String(answer.error.retry_after));
    expect(answer.requestId).toBe(answer.error.request_id);
    expect(answer.text).not.toMatch(/postgres|sealwatch_audit|connect/i);
  }
  await setOpen(["sealwatch", "sealwatch_audit"], true);
  const keys = await until("requests work again", async () => {
    const answer = await organization.read.get<unknown[]>("/api-keys");
    return answer.status === 200 && answer.data;
  });
  expect(keys).toHaveLength(2);
});
