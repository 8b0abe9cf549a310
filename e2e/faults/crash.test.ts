import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { killWebUnderLoad, webIsBack } from "@/e2e/faults/web-kills";
import type { Answer } from "@/e2e/support/http";
import { expectIntactLogs } from "@/e2e/support/intact-logs";
import { newOrganization } from "@/e2e/support/organization";
import { eventsOf, query, whenDelivered } from "@/e2e/support/servers/databases";
import { alive } from "@/e2e/support/servers/processes";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { suspendWorker } from "@/e2e/support/servers/without-worker";
import { isLong } from "@/e2e/support/tier";
import { dailyTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";

const server = await startSealwatch();
afterAll(() => server.destroy());

killWebUnderLoad(server, isLong ? 20 : 1);

dailyTest("a change whose process died before its event was stored has one, marked interrupted", async () => {
  const organization = await newOrganization(server);
  const target = await organization.newKey();
  // While this lock is held changes commit, and their events wait.
  const holder = new pg.Client({ connectionString: server.databases.audit });
  holder.on("error", () => {});
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE");
  const answer = organization.admin.post(`/api-keys/${target.id}/rotate`).catch(() => "cut off");
  await until("the change is committed", async () => {
    const rows = await query(server, "app", "SELECT 1 FROM api_key_secrets WHERE api_key_id = $1", [target.id]);
    return rows.length === 2;
  });
  const killed = server.kill("web");
  await until("the web process is dead", () => alive([killed]).length === 0);
  // PostgreSQL does not notice the kill and would store the event once it gets the lock; nothing would be left to recover.
  await holder.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
  await holder.query("ROLLBACK");
  await holder.end();
  expect(await answer).toBe("cut off");
  await webIsBack(server, killed);
  await whenDelivered(server);
  const events = (await eventsOf(server, organization.id)).filter(({ action }) => action === "api_key.rotate");
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    organization_id: organization.id,
    api_key_id: organization.adminKey.id,
    method: "POST",
    route: "/api/v1/api-keys/{id}/rotate",
    resource_id: target.id,
    status_code: null,
    flags: ["key_rotated", "interrupted"],
    is_security_event: true,
  });
  expect((await target.api.get("/api-keys")).error.code).toBe("API_KEY_REVOKED");
});

/** Fills the outbox like a process whose audit database is unavailable, or that died before its events were stored. */
async function fillOutbox(organizationId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 500) {
    const entries = Array.from({ length: 500 }, () => {
      const known = { organization_id: organizationId, method: "PUT", path: "/api/v1/api-keys", status_code: 200 };
      return { row: new AuditEventDraft(known).row, body: Buffer.from("a body") };
    });
    await enqueueOutbox(entries);
    ids.push(...entries.map(({ row }) => row.id));
  }
  // Every third belongs to a change whose writer has died.
  await query(
    server,
    "app",
    `UPDATE audit_outbox SET complete = false, writer = 7, created_at = now() - interval '10 seconds'
     WHERE organization_id = $1 AND hashtext(id::text) % 3 = 0`,
    [organizationId],
  );
  return ids;
}

/** Waits for the worker that the supervisor starts after a kill. */
async function workerIsBack(killed: number): Promise<void> {
  await until("there is another worker", () => ![undefined, killed].includes(server.pids().worker));
}

if (isLong)
  test("repeated kill -9 of the worker while it delivers the outbox loses no event and stores none twice", async () => {
    const organization = await newOrganization(server);
    const before = (await eventsOf(server, organization.id)).length;
    const ids = await fillOutbox(organization.id, 12_000);
    const left = async () => {
      const text = "SELECT count(*)::integer AS left FROM audit_outbox WHERE organization_id = $1";
      return (await query<{ left: number }>(server, "app", text, [organization.id]))[0]?.left ?? 0;
    };
    const kills: number[] = [];
    for (let mark = ids.length - 1; mark > 0; mark -= 2_100) {
      const now = await until("the worker has delivered some more", async () => {
        const count = await left();
        return count <= mark && { count };
      });
      if (now.count === 0) break;
      kills.push(now.count);
      await workerIsBack(server.kill("worker"));
    }
    expect(kills.length).toBeGreaterThan(4);
    await whenDelivered(server);
    const events = (await eventsOf(server, organization.id)).slice(before);
    expect(events.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(events.every(({ body }) => body?.toString() === "a body")).toBe(true);
    const { data } = await organization.read.get<{ totals: { requests: number } }>("/audit-logs/stats?method=PUT");
    expect(data.totals.requests).toBe(ids.length);
    await expectIntactLogs(server, [], []);
  });

/** The moment, and the lock at which the worker waits then. */
const moments = [
  ["between storing the events and clearing the outbox", "app", "audit_outbox", "SHARE"],
  ["before the events are stored", "audit", "audit_events", "ACCESS EXCLUSIVE"],
] as const;

test.each(isLong ? moments : moments.slice(0, 1))("kill -9 of the worker %s", async (_, database, table, mode) => {
  const organization = await newOrganization(server);
  const worker = await suspendWorker(server);
  const ids = await fillOutbox(organization.id, 500);
  const holder = new pg.Client({ connectionString: server.databases[database] });
  await holder.connect();
  try {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE`);
    process.kill(worker, "SIGCONT");
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass";
    await until("the worker waits", async () => (await query(server, database, waiting, [table])).length > 0);
    await workerIsBack(server.kill("worker"));
  } finally {
    await holder.end();
  }
  await whenDelivered(server);
  const events = (await eventsOf(server, organization.id)).filter(({ method }) => method === "PUT");
  expect(events.map(({ id }) => id).sort()).toEqual(ids.sort());
});

dailyTest("a killed PostgreSQL is restarted, and requests work as before", async () => {
  const { read, id } = await newOrganization(server);
  server.kill("postgres");
  const answers: Answer[] = [];
  const back = await until("requests work again", async () => {
    const answer = await read.get("/api-keys");
    answers.push(answer);
    return answer.status === 200 && answer;
  });
  for (const answer of answers.slice(0, -1)) {
    expect([answer.status, answer.error.code]).toEqual([503, "UNAVAILABLE"]);
    expect(answer.header("retry-after")).toBe(String(answer.error.retry_after));
  }
  await until("the log has the request", async () =>
    (await eventsOf(server, id)).some((event) => event.id === back.requestId),
  );
});

test("a stop while a killed PostgreSQL is restarted leaves none running", async () => {
  const restarts = () => server.output().stderr.split("the embedded PostgreSQL is gone").length;
  const before = restarts();
  server.kill("postgres");
  await until("it is being restarted", () => restarts() > before);
  await server.stop();
  expect(server.pids()).toEqual({});
});
