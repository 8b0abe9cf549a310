import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { eventsOf, query } from "@/e2e/support/databases";
import type { Answer } from "@/e2e/support/http";
import { type Key, newOrganization } from "@/e2e/support/organization";
import { alive } from "@/e2e/support/processes";
import { startSealwatch } from "@/e2e/support/sealwatch";
import { until } from "@/e2e/support/until";

const server = await startSealwatch();
afterAll(() => server.destroy());

/** Waits for the web process that the supervisor starts in the place of a killed one. */
async function webIsBack(killed: number): Promise<void> {
  await until(
    "a new web process answers",
    async () => {
      const { web } = server.pids();
      return web !== undefined && web !== killed && (await fetch(`${server.url}/healthz`)).ok;
    },
    30_000,
  );
}

async function outboxIsEmpty(): Promise<void> {
  await until(
    "the outbox is empty",
    async () => {
      const [row] = await query<{ count: string }>(server, "app", "SELECT count(*) FROM audit_outbox");
      return row?.count === "0";
    },
    30_000,
  );
}

test("kill -9 of the web process under load loses no acknowledged request, and leaves no change without its event", async () => {
  const organization = await newOrganization(server);
  const callers: { caller: Key; target: Key }[] = [];
  for (let n = 0; n < 16; n++) {
    const caller = await organization.newKey({ permission: "admin" });
    callers.push({ caller, target: await organization.newKey() });
  }
  const acknowledged: string[] = [];
  let killed = 0;
  const work = async ({ caller, target }: { caller: Key; target: Key }) => {
    while (killed === 0) {
      for (const ask of [() => caller.api.post(`/api-keys/${target.id}/rotate`), () => caller.api.get("/api-keys")]) {
        const answer = await ask();
        acknowledged.push(answer.requestId);
      }
      if (acknowledged.length > 300 && killed === 0) killed = server.kill("web");
    }
  };
  const ends = await Promise.allSettled(callers.map(work));
  expect(ends.some(({ status }) => status === "rejected")).toBe(true);
  await webIsBack(killed);
  await outboxIsEmpty();

  const events = await eventsOf(server, organization.id);
  const ids = events.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(acknowledged));
  for (const { target } of callers) {
    const secrets = await query(server, "app", "SELECT 1 FROM api_key_secrets WHERE api_key_id = $1", [target.id]);
    const rotations = events.filter(
      ({ resource_id, flags }) => resource_id === target.id && flags.includes("key_rotated"),
    );
    expect(rotations).toHaveLength(secrets.length - 1);
  }
});

test("a change whose process died before its event was stored has one, marked interrupted", async () => {
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
  // PostgreSQL does not notice, and would store the event once it gets the lock: then nothing would be left to tell later.
  await holder.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
  await holder.query("ROLLBACK");
  await holder.end();
  expect(await answer).toBe("cut off");
  await webIsBack(killed);
  await outboxIsEmpty();
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

test("the web and worker processes are started again when they die", async () => {
  const { worker = 0 } = server.pids();
  await webIsBack(server.kill("web"));
  server.kill("worker");
  await until("there is another worker", () => ![undefined, worker].includes(server.pids().worker), 30_000);
});

test("a killed PostgreSQL is started again, and requests work as before", async () => {
  const { read, id } = await newOrganization(server);
  server.kill("postgres");
  const answers: Answer[] = [];
  const back = await until(
    "requests work again",
    async () => {
      const answer = await read.get("/api-keys");
      answers.push(answer);
      return answer.status === 200 && answer;
    },
    60_000,
  );
  for (const answer of answers.slice(0, -1)) {
    expect([answer.status, answer.error.code]).toEqual([503, "UNAVAILABLE"]);
    expect(answer.header("retry-after")).toBe(String(answer.error.retry_after));
  }
  await until("the log has the request", async () =>
    (await eventsOf(server, id)).some((event) => event.id === back.requestId),
  );
});
