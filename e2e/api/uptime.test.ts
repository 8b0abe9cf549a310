import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type { AnalyticsOverview, AnalyticsUptime } from "@/lib/analytics/contract";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { plans } from "@/lib/plans";
import { readUptimeDays } from "@/lib/uptime/checks/days";
import type { UptimeCheck } from "@/lib/uptime/checks-contract";
import type { Monitor } from "@/lib/uptime/contract";
import type { Incident } from "@/lib/uptime/incidents/contract";
import type { MaintenanceWindow } from "@/lib/uptime/maintenance-windows/contract";
import type { BulkResult } from "@/lib/uptime/monitors/bulk-contract";
import type { UptimeStats } from "@/lib/uptime/stats-contract";

const server = sharedServer();
let organization: Organization;
const sites: Server[] = [];

beforeAll(async () => {
  organization = await newOrganization(server);
});

afterAll(() => {
  for (const site of sites) site.close().closeAllConnections();
});

/** A web site whose status can be set. */
async function newSite() {
  const site = { status: 200, url: "" };
  const made = createServer((_request, response) => response.writeHead(site.status).end("hello"));
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  sites.push(made);
  site.url = `http://127.0.0.1:${(made.address() as AddressInfo).port}/`;
  return site;
}

/** Checked by the worker only once an hour, unless `input` says otherwise: tests count the checks. */
async function watch(target: string, input: object = {}): Promise<Monitor> {
  const body = { name: newId(), type: "http", target, interval_seconds: 3600, ...input };
  const answer = await organization.admin.post<Monitor>("/uptime", body);
  expect(answer.status, answer.text).toBe(201);
  expect(answer.header("location")).toBe(`/api/v1/uptime/${answer.data.id}`);
  return answer.data;
}

async function check({ id }: { id: string }): Promise<UptimeCheck> {
  const answer = await organization.admin.post<UptimeCheck>(`/uptime/${id}/check`);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

/** From the database: tests that wait for it would exceed the rate limit of a key. */
const countChecks = async ({ id }: { id: string }) =>
  (await query(server, "app", "SELECT FROM uptime_checks WHERE monitor_id = $1", [id])).length;
/** The successful checks of a monitor whose times count. */
const countResponseTimes = async ({ id }: { id: string }) => {
  const counted = "SELECT sum(checks)::integer AS count FROM uptime_latencies WHERE monitor_id = $1 AND grain = 'day'";
  return (await query<{ count: number }>(server, "app", counted, [id]))[0]?.count;
};
const get = async <T>(path: string) => (await organization.read.get<T>(path)).data;
const incidentsOf = ({ id }: { id: string }) => get<Incident[]>(`/uptime/incidents?monitor_id=${id}`);

describe("monitoring", () => {
  test("a monitor is checked immediately, and shows the result", async () => {
    const site = await newSite();
    const made = await watch(site.url, {
      interval_seconds: undefined,
      headers: { "X-Token": "secret" },
      tags: ["b", "a", "b"],
    });
    expect(made).toMatchObject({
      status: "up",
      header_names: ["X-Token"],
      tags: ["a", "b"],
      interval_seconds: 60,
      last_check: { ok: true, status_code: 200, address: "127.0.0.1", tls_ms: null, reason: null },
    });
    expect(made.status_since).toBe(made.last_check?.checked_at);
    expect(JSON.stringify(made)).not.toContain("secret");
    expect(await get<Monitor>(`/uptime/${made.id}`)).toEqual(made);
    expect(await get<Monitor[]>("/uptime?tag=a")).toEqual([made]);
    expect(await get<UptimeCheck[]>(`/uptime/${made.id}/checks`)).toEqual([made.last_check]);
  });

  test("a check that a later one has overtaken returns the later result, and one of a changed monitor is refused", async () => {
    const waiting: ServerResponse[] = [];
    let holds = false;
    const made = createServer((_request, response) => void (holds ? waiting.push(response) : response.end("hello")));
    await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
    sites.push(made);
    const watched = await watch(`http://127.0.0.1:${(made.address() as AddressInfo).port}/`);
    const checkSlowly = async () => {
      holds = true;
      const before = waiting.length;
      const answer = organization.admin.post<UptimeCheck>(`/uptime/${watched.id}/check`);
      await until("the check waits", async () => waiting.length > before);
      holds = false;
      return { answer, finish: () => waiting.at(-1)?.end("hello") };
    };
    const overtaken = await checkSlowly();
    const later = await check(watched);
    overtaken.finish();
    expect(await overtaken.answer).toMatchObject({ status: 200, data: later });
    const outdated = await checkSlowly();
    await organization.admin.put(`/uptime/${watched.id}`, { expected_text: "hello" });
    outdated.finish();
    expect(await outdated.answer).toMatchObject({ status: 409, error: { code: "CONFLICT" } });
  });

  test("is down after failure_threshold failures and up after recovery_threshold successes; the incident spans both", async () => {
    const site = await newSite();
    const made = await watch(site.url, { failure_threshold: 2, recovery_threshold: 2 });
    site.status = 500;
    const first = await check(made);
    expect(first).toMatchObject({ ok: false, reason: "unexpected_status", detail: "500", status_code: 500 });
    expect(await get<Monitor>(`/uptime/${made.id}`)).toMatchObject({ status: "up" });
    expect(await incidentsOf(made)).toEqual([]);
    await check(made);
    expect(await get<Monitor>(`/uptime/${made.id}`)).toMatchObject({ status: "down" });
    const [open] = await incidentsOf(made);
    expect(open).toMatchObject({
      monitor: { id: made.id, name: made.name },
      started_at: first.checked_at,
      ended_at: null,
      reason: "unexpected_status",
    });
    site.status = 200;
    await check(made);
    expect(await get<Monitor>(`/uptime/${made.id}`)).toMatchObject({ status: "down" });
    const last = await check(made);
    expect(await incidentsOf(made)).toMatchObject([{ id: open?.id, ended_at: last.checked_at }]);
    expect(await get<Incident[]>(`/uptime/incidents?monitor_id=${made.id}&open=true`)).toEqual([]);
    const stats = await get<UptimeStats>(`/uptime/${made.id}/stats`);
    expect(stats).toMatchObject({ checks: 5, failures: 2, uptime_percent: 60, incidents: 1 });
    expect(stats.windows.last_90d).toMatchObject({ checks: 5, failures: 2 });
    expect(stats.series.reduce((sum, { checks }) => sum + checks, 0)).toBe(5);
    const checks = await get<UptimeCheck[]>(`/uptime/${made.id}/checks?ok=true`);
    const slowest = Math.max(...checks.map(({ total_ms }) => total_ms));
    // Within 1% and the rounding to a microsecond.
    expect(stats.response_time_ms.p99).toBeGreaterThanOrEqual(slowest * 0.99 - 0.001);
    expect(stats.response_time_ms.p99).toBeLessThanOrEqual(slowest * 1.01 + 0.001);
  });

  test("every figure for 30 days counts the same 30 UTC days", async () => {
    await clearOfBoundary(86_400_000, 60_000);
    const site = await newSite();
    const other = await newOrganization(server);
    const input = { name: "a", type: "http", target: site.url, interval_seconds: 3600 };
    const { data: made } = await other.admin.post<Monitor>("/uptime", input);
    await query(
      server,
      "app",
      `INSERT INTO uptime_rollups (organization_id, monitor_id, grain, start, checks, failures, maintenance)
       SELECT $1, $2, 'day', date_trunc('day', now(), 'UTC') - ago * interval '1 day', 10, failures, 0
       FROM (VALUES (29, 1), (30, 10)) AS days (ago, failures) RETURNING 1`,
      [other.id, made.id],
    );
    const { windows } = (await other.read.get<UptimeStats>(`/uptime/${made.id}/stats`)).data;
    const overview = (await other.read.get<AnalyticsOverview>("/analytics/overview")).data;
    const analytics = (await other.read.get<AnalyticsUptime>("/analytics/uptime")).data;
    const days = (await readUptimeDays(systemPrincipal(other.id), [made.id], 30)).get(made.id) ?? [];
    const sum = (of: "checks" | "failures") => days.reduce((all, day) => all + day[of], 0);
    expect(windows.last_30d).toMatchObject({ checks: 11, failures: 1 });
    expect(windows.last_90d).toMatchObject({ checks: 21, failures: 11 });
    expect(analytics).toMatchObject({ checks: 11, failures: 1, uptime_percent: windows.last_30d.uptime_percent });
    expect(overview.uptime_percent_30d).toBe(windows.last_30d.uptime_percent);
    expect({ checks: sum("checks"), failures: sum("failures") }).toEqual({ checks: 11, failures: 1 });
  });

  test("24 hours have at most 24 hours of downtime, though their checks are counted by whole hours", async () => {
    const site = await newSite();
    const made = await watch(site.url);
    await query(
      server,
      "app",
      `INSERT INTO uptime_incidents (organization_id, id, monitor_id, started_at, reason)
       VALUES ($1, gen_random_uuid(), $2, now() - interval '3 days', 'timeout') RETURNING 1`,
      [organization.id, made.id],
    );
    const stats = await get<UptimeStats>(`/uptime/${made.id}/stats`);
    expect(stats).toMatchObject({ incidents: 1, downtime_seconds: 86_400 });
  });

  test("the worker checks due monitors, without an event", async () => {
    const site = await newSite();
    const made = await watch(site.url);
    const due = "UPDATE uptime_monitors SET next_check_at = now() WHERE organization_id = $1 AND id = $2 RETURNING id";
    expect(await query(server, "app", due, [organization.id, made.id])).toHaveLength(1);
    await until("the worker has checked", async () => (await countChecks(made)) > 1);
    const checks = await get<UptimeCheck[]>(`/uptime/${made.id}/checks`);
    expect(checks).toMatchObject([{ ok: true }, { ok: true }]);
  });

  test("a check in a maintenance window counts neither way", async () => {
    const site = await newSite();
    const made = await watch(site.url, { failure_threshold: 1 });
    const now = Date.now();
    const span = { starts_at: new Date(now - 60_000), ends_at: new Date(now + 600_000) };
    const { data: window } = await organization.admin.post<MaintenanceWindow>("/uptime/maintenance-windows", {
      name: "Upgrade",
      monitor_ids: [made.id],
      ...span,
    });
    expect(window.active).toBe(true);
    expect(await check(made)).toMatchObject({ ok: true, maintenance: true });
    expect(await countResponseTimes(made)).toBe(1);
    site.status = 500;
    expect(await check(made)).toMatchObject({ ok: false, maintenance: true });
    expect(await incidentsOf(made)).toEqual([]);
    expect(await get<UptimeStats>(`/uptime/${made.id}/stats`)).toMatchObject({
      checks: 1,
      failures: 0,
      maintenance_checks: 2,
    });
    const moved = await organization.admin.put<MaintenanceWindow>(`/uptime/maintenance-windows/${window.id}`, {
      ends_at: new Date(now - 30_000),
    });
    expect(moved.data.active).toBe(false);
    expect(await check(made)).toMatchObject({ ok: false, maintenance: false });
    expect(await incidentsOf(made)).toHaveLength(1);
  });

  test("another target or a pause resets the state and ends the incident; a new name does not", async () => {
    const made = await watch(`http://127.0.0.1:${await closedPort()}/`, { failure_threshold: 1 });
    expect(made).toMatchObject({ status: "down", last_check: { reason: "connection_refused" } });
    const renamed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { name: `${made.name} again` });
    expect(renamed.data).toMatchObject({ status: "down", last_check: made.last_check });
    const site = await newSite();
    const moved = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { target: site.url });
    expect(moved.data).toMatchObject({ status: "up", target: site.url, failure_threshold: 1 });
    expect(await incidentsOf(made)).toMatchObject([{ ended_at: expect.any(String) }]);
    const paused = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { paused: true });
    expect(paused.data).toMatchObject({ status: "paused", next_check_at: null });
    expect((await organization.admin.post(`/uptime/${made.id}/check`)).status).toBe(409);
    const resumed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { paused: false });
    expect(resumed.data).toMatchObject({ status: "up" });
  });

  test.each([
    ["a target of another type", { target: "127.0.0.1:80" }, "target"],
    ["a password in the URL", { target: "http://a:b@example.com/" }, "target"],
    ["a forbidden address", { target: "http://169.254.169.254/" }, "target"],
    ["a header that the connection sets", { headers: { Host: "x" } }, "headers.Host"],
    ["a header with a line break", { headers: { "X-A": "a\r\nX-B: b" } }, "headers.X-A"],
    ["a status that is none", { expected_status: ["20x"] }, "expected_status.0"],
    ["an interval too short", { interval_seconds: 5 }, "interval_seconds"],
    ["an unknown field", { retries: 5 }, "retries"],
  ])("refuses %s with an issue for the field", async (_what, input, path) => {
    const body = { name: newId(), type: "http", target: "http://example.com/", ...input };
    const answer = await organization.admin.post("/uptime", body);
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path }] });
  });

  test("a name is unique in the organization, and the interval is within the plan", async () => {
    const made = await watch(`http://127.0.0.1:${await closedPort()}/`);
    const again = await organization.admin.post("/uptime", { name: made.name, type: "http", target: made.target });
    expect([again.status, again.error.code]).toEqual([409, "CONFLICT"]);
    const often = await organization.admin.put(`/uptime/${made.id}`, { interval_seconds: 30 });
    expect(often.error).toMatchObject({ code: "PLAN_LIMIT_REACHED", limit: 60, used: 30 });
  });

  test("statistics have at most 1,000 points", async () => {
    const made = await watch(`http://127.0.0.1:${await closedPort()}/`, { paused: true });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const refused = async (range: string) => (await organization.read.get(`/uptime/${made.id}/stats?${range}`)).error;
    expect(await refused(`since=${daysAgo(1002)}`)).toMatchObject({ issues: [{ path: "since" }] });
    expect(await refused(`since=${daysAgo(60)}&interval=hour`)).toMatchObject({ issues: [{ path: "interval" }] });
  });

  test("a window's times and monitors must be valid", async () => {
    const refused = async (body: object) => (await organization.admin.post("/uptime/maintenance-windows", body)).error;
    const span = { name: "x", starts_at: "2030-01-01T00:00:00Z", ends_at: "2030-01-01T01:00:00Z" };
    expect(await refused({ ...span, ends_at: span.starts_at })).toMatchObject({ issues: [{ path: "ends_at" }] });
    const long = { ...span, ends_at: "2030-01-03T00:00:00Z", repeat: "daily" };
    expect(await refused(long)).toMatchObject({ issues: [{ path: "ends_at" }] });
    expect(await refused({ ...span, monitor_ids: [newId()] })).toMatchObject({ issues: [{ path: "monitor_ids.0" }] });
  });

  test("a window can be sent again as it is read after one of its monitors was deleted", async () => {
    const made = await watch(`http://127.0.0.1:${await closedPort()}/`, { paused: true });
    const span = { name: "x", starts_at: "2030-01-01T00:00:00Z", ends_at: "2030-01-01T01:00:00Z" };
    const { admin } = organization;
    const windows = "/uptime/maintenance-windows";
    const { data: window } = await admin.post<MaintenanceWindow>(windows, { ...span, monitor_ids: [made.id] });
    await admin.delete(`/uptime/${made.id}`);
    const { monitor_ids } = window;
    const again = await admin.put<MaintenanceWindow>(`${windows}/${window.id}`, { monitor_ids, name: "y" });
    expect([again.status, again.data]).toMatchObject([200, { monitor_ids, name: "y" }]);
    const unknown = await admin.put(`${windows}/${window.id}`, { monitor_ids: [made.id, newId()] });
    expect(unknown.error).toMatchObject({ issues: [{ path: "monitor_ids.1" }] });
    await admin.delete(`${windows}/${window.id}`);
  });
});

describe("bulk", () => {
  const item = (name: string, extra: object = {}) => ({
    name,
    type: "tcp",
    target: "127.0.0.1:9",
    interval_seconds: 3600,
    paused: true,
    ...extra,
  });

  test("creates, changes, keeps and refuses items, with a result for each; a dry run changes nothing", async () => {
    const { admin, read } = await newOrganization(server);
    const items = [item("a"), item("b"), item("b"), item("c", { interval_seconds: "often" })];
    const dry = await admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items, dry_run: true });
    expect(dry.data.results.map(({ status, id }) => [status, id])).toEqual([
      ["created", null],
      ["created", null],
      ["failed", null],
      ["failed", null],
    ]);
    expect((await read.get<Monitor[]>("/uptime")).data).toEqual([]);
    expect(await eventById(server, dry.requestId)).toMatchObject({ action: "monitor.bulk_upsert", status_code: 200 });
    const first = await admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items });
    expect(first.data.results[3]?.error).toMatch(/^interval_seconds: /);
    const changed = [item("a"), item("b", { tags: ["x"] })];
    const second = await admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items: changed });
    expect(second.data.results).toEqual([
      { index: 0, status: "unchanged", id: first.data.results[0]?.id, error: null },
      { index: 1, status: "updated", id: first.data.results[1]?.id, error: null },
    ]);
    expect((await read.get<Monitor[]>("/uptime?tag=x")).data).toMatchObject([{ name: "b" }]);
  });

  test("an existing monitor keeps what is not given, also its secrets, and is judged as a whole", async () => {
    const { admin, read } = await newOrganization(server);
    const { data: made } = await admin.post<Monitor>("/uptime", {
      ...{ name: "a", type: "http", target: "https://one.test/health", paused: true, interval_seconds: 3600 },
      ...{ headers: { "x-token": "s3cret" }, authentication: { type: "basic", username: "u", password: "s3cret" } },
    });
    const change = async (fields: object) => {
      const sent = await admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items: [{ name: "a", ...fields }] });
      return sent.data.results[0];
    };
    expect(await change({ tags: ["x"] })).toEqual({ index: 0, status: "updated", id: made.id, error: null });
    expect(await change({ target: "https://two.test/health" })).toMatchObject({
      status: "failed",
      error: [
        "headers: must be given again because target has another origin",
        "authentication: must be given again because target has another origin",
      ].join("; "),
    });
    expect(await change({ request_body: "x" })).toMatchObject({
      error: "request_body: must be null for GET and HEAD",
    });
    expect(await change({ type: "tcp" })).toMatchObject({ error: expect.stringMatching(/^type: /) });
    expect((await read.get<Monitor>(`/uptime/${made.id}`)).data).toEqual({
      ...made,
      tags: ["x"],
      updated_at: expect.any(String),
    });
  });

  test("an interval shorter than the plan allows is refused unless the monitor has it already", async () => {
    const { id, admin } = await newOrganization(server);
    const plan = (name: string) => query(server, "app", "UPDATE organizations SET plan = $2 WHERE id = $1", [id, name]);
    const send = (...items: object[]) => admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items });
    await plan("team");
    await send(item("a", { interval_seconds: 30 }), item("b", { interval_seconds: 60 }));
    await plan("free");
    const kept = await send({ name: "a", tags: ["x"] }, item("a2"), { name: "b", interval_seconds: 90 });
    expect(kept.data.results.map(({ status }) => status)).toEqual(["updated", "created", "updated"]);
    for (const name of ["b", "c"]) {
      const refused = await send(item(name, { interval_seconds: 30 }));
      expect(refused.error).toMatchObject({ code: "PLAN_LIMIT_REACHED", limit: 60, used: 30 });
    }
  });

  test("a plan without room for all new monitors refuses the whole request", async () => {
    const { admin, read } = await newOrganization(server);
    const items = Array.from({ length: 51 }, (_, at) => item(`m${at}`));
    const answer = await admin.post("/uptime/bulk", { items });
    expect([answer.status, answer.error]).toMatchObject([402, { code: "PLAN_LIMIT_REACHED", limit: 50, used: 0 }]);
    expect((await read.get<Monitor[]>("/uptime")).data).toEqual([]);
    expect((await admin.post("/uptime/bulk", { items: items.slice(1) })).status).toBe(200);
    expect((await admin.post("/uptime", item("one more"))).error).toMatchObject({ limit: 50, used: 50 });
  });

  test("a repetition with the same Idempotency-Key gets the first answer, another body a conflict", async () => {
    const { admin } = await newOrganization(server);
    const headers = { "Idempotency-Key": newId() };
    const items = [item("a")];
    const [first, second] = await Promise.all([
      admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items }, { headers }),
      admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items }, { headers }),
    ]);
    const third = await admin.post("/uptime/bulk", { items }, { headers });
    const done = [first, second].filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    for (const { data } of done) expect(data).toEqual(third.data);
    expect(done[0]?.data.results).toMatchObject([{ status: "created" }]);
    for (const { status } of [first, second]) expect([200, 409]).toContain(status);
    const other = await admin.post("/uptime/bulk", { items: [item("b")] }, { headers });
    expect(other.error).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("another body") });
  });

  test("queues checks by tag, but none of what was checked within the plan's shortest interval", async () => {
    const { admin } = await newOrganization(server);
    const site = await newSite();
    const body = { name: "a", type: "http", target: site.url, interval_seconds: 3600, tags: ["web"] };
    const { data: monitor } = await admin.post<Monitor>("/uptime", body);
    await admin.post("/uptime", item("b", { tags: ["web"] }));
    const queue = () => admin.post<{ queued: number }>("/uptime/bulk/check", { tag: "web" });
    expect((await queue()).data).toEqual({ queued: 0 });
    const earlier = `UPDATE uptime_monitors SET last_checked_at = last_checked_at - make_interval(secs => $2)
      WHERE id = $1 RETURNING id`;
    await query(server, "app", earlier, [monitor.id, plans.free.shortestIntervalSeconds]);
    expect((await queue()).data).toEqual({ queued: 1 });
    await until("the worker has checked", async () => (await countChecks(monitor)) === 2);
  });
});
