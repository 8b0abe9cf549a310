import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keysMade, Load, loggedRequests } from "@/e2e/faults/load";
import type { Answer } from "@/e2e/support/http";
import { expectIntactLogs } from "@/e2e/support/intact-logs";
import { newOrganization } from "@/e2e/support/organization";
import { Cluster } from "@/e2e/support/servers/cluster";
import { eventById, eventsOf, query, whenDelivered } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { isLong } from "@/e2e/support/tier";
import { dailyTest, longTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";
import { handle, route } from "@/lib/api/route";
import { createApiKey } from "@/lib/api-keys/create";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { exportAuditLogs as exportContract } from "@/lib/audit-logs/read/export-contract";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { arrivals } from "@/lib/http/arrival";
import { systemPrincipal } from "@/lib/http/principal";

const AWAY_MS = isLong ? 20_000 : 2_000;
/** Requests of the load before, during and after an outage. */
const SOME = isLong ? 200 : 50;

let monitoring: Cluster;
let audit: Cluster;
let server: Sealwatch;

beforeAll(async () => {
  [monitoring, audit] = await Promise.all([Cluster.create(), Cluster.create()]);
  server = await startSealwatch({ DATABASE_URL: monitoring.url("app"), AUDIT_DATABASE_URL: audit.url("audit") });
});
afterAll(async () => {
  await server?.destroy();
  await Promise.all([monitoring?.destroy(), audit?.destroy()]);
});

dailyTest(
  "with one role for web processes and worker, the start logs one warning about the privileges of web processes",
  () => {
    const lines = server.output().stderr.split("\n");
    const [warning, ...others] = lines.filter((line) => line.includes("may change or delete audit events"));
    expect(others).toEqual([]);
    expect(JSON.parse(warning ?? "")).toMatchObject({
      level: 40,
      role: "sealwatch_audit_owner",
      may: ["CREATE", "DELETE", "TRUNCATE", "UPDATE", "drop tables"],
    });
  },
);

const rate_limits = { store: "memory", available: true };
const READY = { status: "ok", checks: { database: "ok", audit_database: "ok", outbox: "ok" }, rate_limits };

async function readyz(): Promise<{ status: number; body: { status: string; checks: Record<string, string> } }> {
  const answer = await fetch(`${server.url}/readyz`);
  const { parts, ...body } = await answer.json();
  // The parts say the same, and how long the databases took.
  for (const [name, status] of Object.entries(body.checks)) expect(parts[name].status).toBe(status);
  for (const name of ["database", "audit_database"])
    expect(typeof parts[name].response_ms).toBe(parts[name].status === "ok" ? "number" : "object");
  return { status: answer.status, body };
}

/** Waits for a state: on a slow machine a probe may take longer than its time limit. */
async function becomes(status: number, expected: object): Promise<void> {
  let found: unknown;
  await until("/readyz says so", async () => {
    found = await readyz();
    return isDeepStrictEqual(found, { status, body: expected });
  }).catch(() => expect(found).toEqual({ status, body: expected }));
}

async function isReady(): Promise<void> {
  await until("both databases answer", async () => {
    const { checks } = (await readyz()).body;
    return checks.database === "ok" && checks.audit_database === "ok";
  });
}

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.error.code]).toEqual([503, "UNAVAILABLE"]);
  expect(answer.header("retry-after")).toBe(String(answer.error.retry_after));
  expect(answer.requestId).toBe(answer.error.request_id);
  expect(answer.header("x-ratelimit-limit")).toMatch(/^\d+$/);
  expect(answer.text).not.toMatch(/postgres|sealwatch_audit|connect/i);
}

/** Every caller's log must hold exactly what they sent, in the order in which they sent it. */
async function expectAllInOrder(load: Load): Promise<void> {
  await whenDelivered(server);
  const events = await loggedRequests(server, load);
  for (const caller of load.callers) {
    const sent = load.calls.filter((call) => call.caller === caller).map(({ answer }) => answer?.requestId);
    expect(sent).not.toContain(undefined);
    const logged = events.filter(({ organization_id }) => organization_id === caller.organizationId);
    expect(logged.map(({ id }) => id)).toEqual(sent);
  }
}

/** The sealed logs have all of a load's requests, also those whose events were stored late. */
async function expectIntact(load: Load): Promise<void> {
  const ids = (await loggedRequests(server, load)).map(({ id }) => id);
  await expectIntactLogs(server, load.callers, ids);
}

describe("while the audit database is unavailable", () => {
  test(`for ${AWAY_MS / 1000} s under load requests are served, and then every event is there, once, in order of occurrence`, async () => {
    const load = await Load.start(server);
    await load.answered(SOME);
    await audit.stop();
    const stoppedAt = performance.now();
    await load.answered(SOME);
    await until("the time is over", () => performance.now() - stoppedAt > AWAY_MS);
    await audit.start();
    await isReady();
    await load.answered(SOME);
    await load.stop();
    const refused = load.calls.filter(({ answer }) => ![200, 201, 400].includes(answer?.status ?? 0));
    expect(refused.map(({ answer }) => answer?.text)).toEqual([]);
    await expectAllInOrder(load);

    const sent = load.calls.filter((call) => call.caller === load.someone).map(({ answer }) => answer?.requestId);
    const { api } = load.someone;
    const filters = `action=!session.sign_in&until=${encodeURIComponent(new Date().toISOString())}`;
    const listed: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const path: string = `/audit-logs?order=asc&limit=200&${filters}${cursor && `&cursor=${cursor}`}`;
      const page = await api.get<AuditEvent[]>(path);
      listed.push(...page.data.map(({ id }) => id));
      cursor = page.pagination.next_cursor;
    }
    expect(listed).toEqual(sent);
    const stats = await api.get<{ totals: { requests: number } }>(`/audit-logs/stats?${filters}`);
    expect(stats.data.totals.requests).toBe(sent.length);
    await expectIntact(load);
  });

  if (isLong)
    test("and hangs, only the first requests wait", async () => {
      const load = await Load.start(server);
      await load.answered(100);
      const thaw = audit.freeze();
      try {
        await load.answered(400);
      } finally {
        thaw();
      }
      await isReady();
      await load.answered(100);
      await load.stop();
      await expectAllInOrder(load);
      await expectIntact(load);
    });

  dailyTest("requests that read it are refused, and all others have their complete event later", async () => {
    const organization = await newOrganization(server);
    const target = await organization.newKey();
    await audit.stop();
    const done = [
      await organization.read.get("/api-keys"),
      await organization.admin.post("/api-keys", "not json"),
      await organization.admin.post(`/api-keys/${target.id}/rotate`),
      await organization.read.post("/api-keys"),
    ];
    expect(done.map(({ status }) => status)).toEqual([200, 400, 200, 403]);
    const log = await organization.read.get("/audit-logs");
    expectUnavailable(log);
    const checks = { database: "ok", audit_database: "unavailable", outbox: "ok" };
    await becomes(200, { status: "ok", checks, rate_limits });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

    await audit.start();
    await whenDelivered(server);
    const sent = [...done, log].map(({ requestId }) => requestId);
    const events = (await eventsOf(server, organization.id)).filter(({ method }) => method !== null);
    expect(events.map(({ id }) => id)).toEqual(sent);
    expect(events[1]?.body?.toString()).toBe("not json");
    expect(events[2]).toMatchObject({ flags: ["key_rotated"], status_code: 200 });
    expect((await organization.read.get("/audit-logs?limit=200")).status).toBe(200);
    await becomes(200, READY);
  });
});

describe("a process is ready", () => {
  if (isLong)
    test("while the audit database hangs, and shows when events have waited for long", async () => {
      const { read } = await newOrganization(server);
      const thaw = audit.freeze();
      try {
        const sent = await read.get("/api-keys");
        expect(sent.status).toBe(200);
        await query(server, "app", "UPDATE audit_outbox SET created_at = created_at - interval '5 minutes'");
        const checks = { database: "ok", audit_database: "unavailable", outbox: "delayed" };
        await becomes(200, { status: "ok", checks, rate_limits });
      } finally {
        thaw();
      }
      await isReady();
      await whenDelivered(server);
      await becomes(200, READY);
    });

  longTest("while requests that wait for a lock have taken every connection of the pool", async () => {
    const { read } = await newOrganization(server);
    const client = new pg.Client({ connectionString: monitoring.url("app") });
    await client.connect();
    try {
      await client.query("BEGIN; LOCK TABLE api_key_secrets IN ACCESS EXCLUSIVE MODE");
      const waiting = Array.from({ length: 40 }, () => read.get("/api-keys"));
      const wait = async () => {
        const { rows } = await client.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
        return rows.length > 0;
      };
      await until("requests wait for the lock", wait);
      await until("it is ready while they wait", async () => (await readyz()).status === 200 && (await wait()));
      await client.query("ROLLBACK");
      await Promise.all(waiting);
    } finally {
      await client.end();
    }
  });

  longTest("not while the monitoring database hangs", async () => {
    const thaw = monitoring.freeze();
    try {
      const checks = { database: "unavailable", audit_database: "ok", outbox: "unavailable" };
      await becomes(503, { status: "unavailable", checks, rate_limits });
    } finally {
      thaw();
    }
    await isReady();
  });
});

if (isLong)
  test("completing an outbox row is retried until it succeeds", async () => {
    const { id: organizationId } = await newOrganization(server);
    const principal = systemPrincipal(organizationId);
    const id = await withAuditEvent({ action: "api_key.create", principal }, async (event) => {
      await createApiKey(principal, {
        name: "Left",
        permission: "read",
        scope: null,
        ip_whitelist: [],
        expires_at: null,
      });
      await monitoring.stop();
      return event.id;
    });
    expect(await eventById(server, id)).toMatchObject({ flags: ["key_created"] });
    await monitoring.start();
    await isReady();
    await whenDelivered(server);
    expect(await eventById(server, id)).toMatchObject({ flags: ["key_created"] });
  });

if (isLong)
  test("a file whose event cannot be stored is not sent, and keeps no resources", async () => {
    const { readKey } = await newOrganization(server);
    let isCancelled = false;
    const { GET } = route(
      handle(exportContract, async () => {
        await Promise.all([monitoring.stop(), audit.stop()]);
        return new Response(
          new ReadableStream({
            cancel() {
              isCancelled = true;
            },
          }),
        );
      }),
    );
    const own = createServer(async (message, response) => {
      const arrival = { method: "GET", target: message.url ?? "", message, peer: "127.0.0.1" };
      const request = new Request(`http://localhost${message.url}`);
      const answer = await arrivals.run(arrival, () => GET(request, { params: Promise.resolve({}) }));
      response.writeHead(answer.status).end(await answer.text());
    });
    await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
    const { port } = own.address() as AddressInfo;
    const headers = { authorization: `Bearer ${readKey.secret}`, connection: "close" };
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/audit-logs/export?format=csv`, { headers });
    expect([answer.status, (await answer.json()).error.code]).toEqual([503, "UNAVAILABLE"]);
    expect(isCancelled).toBe(true);
    await new Promise((resolve) => own.close(resolve));
    await Promise.all([monitoring.start(), audit.start()]);
    await isReady();
  });

dailyTest("while the monitoring database is unavailable requests are refused, with events", async () => {
  const organization = await newOrganization(server);
  await monitoring.stop();
  const answer = await organization.read.get("/api-keys");
  expectUnavailable(answer);
  // Nobody could identify the caller.
  expect([answer.header("x-ratelimit-remaining"), answer.header("ratelimit")]).toEqual(["0", '"api_keys";r=0;t=5']);
  expect(await eventById(server, answer.requestId)).toMatchObject({ status_code: 503, error_code: "UNAVAILABLE" });
  await monitoring.start();
  await until("requests work again", async () => (await organization.read.get("/api-keys")).status === 200);
});

dailyTest(
  "while both are unavailable nothing is started: 503 in the contract's shape, and recovery without a restart",
  async () => {
    const { web } = server.pids();
    const organization = await newOrganization(server);
    const load = await Load.start(server);
    await load.answered(SOME);
    await Promise.all([monitoring.stop(), audit.stop()]);
    const awayAt = performance.now();
    await load.answered(SOME);
    const answers = [
      await organization.read.get("/api-keys"),
      await organization.admin.post("/api-keys", { name: "x" }),
      await organization.read.get("/nowhere"),
    ];
    // Those that were under way when the databases were stopped may have been served.
    const refused = load.calls.filter(({ begunAt }) => begunAt > awayAt);
    expect(refused.length).toBeGreaterThan(SOME / 2);
    for (const answer of [...answers, ...refused.flatMap(({ answer }) => answer ?? [])]) expectUnavailable(answer);
    await Promise.all([monitoring.start(), audit.start()]);
    await isReady();
    const good = () => load.calls.filter(({ answer }) => answer?.status === 201).length;
    const before = good();
    await until("changes succeed again", () => good() > before + 20);
    await load.stop();
    expect(server.pids().web).toBe(web);
    await whenDelivered(server);

    const keys = await keysMade(server, load);
    const refusedNames = refused.map(({ caller, name }) => `${caller.organizationId} ${name}`);
    const made = keys.map(({ organization_id, name }) => `${organization_id} ${name}`);
    expect(made.filter((name) => refusedNames.includes(name))).toEqual([]);
    const events = await loggedRequests(server, load);
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const served = load.calls.flatMap(({ answer }) => (answer && answer.status < 500 ? answer.requestId : []));
    expect(served.filter((id) => !ids.includes(id))).toEqual([]);
    for (const { id, rotations } of keys) {
      const flags = events.filter(({ resource_id }) => resource_id === id).flatMap(({ flags }) => flags);
      expect(flags.filter((flag) => flag === "key_created")).toHaveLength(1);
      expect(flags.filter((flag) => flag === "key_rotated")).toHaveLength(rotations);
    }
    expect(await organization.read.get<unknown[]>("/api-keys").then(({ data }) => data)).toHaveLength(2);
  },
  600_000,
);
