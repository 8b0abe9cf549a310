import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { newId } from "@/lib/ids";
import type { Monitor, MonitorWithUrl } from "@/lib/uptime/contract";
import type { Incident } from "@/lib/uptime/incidents/contract";
import type { BulkResult } from "@/lib/uptime/monitors/bulk-contract";
import type { UptimeStats } from "@/lib/uptime/stats-contract";

const server = sharedServer();
let organization: Organization;

const MAKE_DUE = "UPDATE uptime_monitors SET next_check_at = now() WHERE organization_id = $1 AND id = $2 RETURNING id";

/**
 * Makes it late until that has been noticed: web processes may have run only for seconds, and other suites change since when. It has to
 * wait for a minute, so that a minute of theirs is enough.
 */
async function whenMissed(made: { id: string }, checksBefore: number): Promise<void> {
  await until("the worker has noticed", async () => {
    if ((await countChecks(made)) > checksBefore) return true;
    expect(await query(server, "app", MAKE_DUE, [organization.id, made.id])).toHaveLength(1);
    return false;
  });
}

beforeAll(async () => {
  organization = await newOrganization(server);
});

async function newHeartbeat(input: object = {}): Promise<MonitorWithUrl & { heartbeat_url: string }> {
  const body = { name: newId(), type: "heartbeat", interval_seconds: 3600, ...input };
  const answer = await organization.admin.post<MonitorWithUrl>("/uptime", body);
  expect(answer.status, answer.text).toBe(201);
  return { ...answer.data, heartbeat_url: answer.data.heartbeat_url ?? "" };
}

async function call(url: string, method = "GET"): Promise<[number, string]> {
  const answer = await fetch(url, { method });
  return [answer.status, (await answer.text()).trim()];
}

const get = async ({ id }: { id: string }) => (await organization.read.get<Monitor>(`/uptime/${id}`)).data;
/** Waits until the next check or call is due later. Looks into the database, because polling would exceed the rate limit. */
async function whenPostponed({ id }: { id: string }): Promise<void> {
  const text = "SELECT FROM uptime_monitors WHERE organization_id = $1 AND id = $2 AND next_check_at > now()";
  await until(
    "the worker has noticed",
    async () => (await query(server, "app", text, [organization.id, id])).length > 0,
  );
}

const countChecks = async ({ id }: { id: string }) =>
  (await query(server, "app", "SELECT FROM uptime_checks WHERE monitor_id = $1", [id])).length;

describe("a heartbeat", () => {
  test("has a URL that is shown once, and is up when it is called with any of three methods", async () => {
    const made = await newHeartbeat({ interval_seconds: 7 * 86_400, grace_seconds: 600 });
    expect(made.heartbeat_url).toMatch(new RegExp(`^${server.url}/heartbeat/[\\w-]{43}$`));
    expect(made).toMatchObject({ status: "pending", target: "", last_check: null });
    expect(await get(made)).not.toHaveProperty("heartbeat_url");
    const token = made.heartbeat_url.slice(-43);
    const [stored] = await query<{ row: string; hash: Buffer }>(
      server,
      "app",
      "SELECT h::text AS row, token_hash AS hash FROM uptime_heartbeats h WHERE monitor_id = $1",
      [made.id],
    );
    expect(stored?.row).not.toContain(token);
    expect(stored?.hash).toEqual(createHash("sha256").update(token).digest());

    expect(await call(made.heartbeat_url)).toEqual([200, "OK"]);
    expect(await call(made.heartbeat_url, "HEAD")).toEqual([200, ""]);
    expect(await call(made.heartbeat_url, "POST")).toEqual([200, "OK"]);
    const called = await get(made);
    expect(called).toMatchObject({ status: "up", last_check: { ok: true, address: "127.0.0.1", reason: null } });
    const wait = Date.parse(called.next_check_at ?? "") - Date.parse(called.last_check?.checked_at ?? "");
    // Counts from when the call was recorded.
    expect(wait / 60_000).toBeCloseTo((7 * 86_400 + 600) / 60, -1);
    const stats = await organization.read.get<UptimeStats>(`/uptime/${made.id}/stats`);
    expect(stats.data).toMatchObject({ checks: 3, failures: 0, response_time_ms: { p50: null } });
  });

  test("is down as soon as a call is late, and up again with the next one", async () => {
    const made = await newHeartbeat({
      interval_seconds: 60,
      grace_seconds: 0,
      failure_threshold: 5,
      recovery_threshold: 5,
    });
    await call(made.heartbeat_url);
    await whenMissed(made, 1);
    expect(await get(made)).toMatchObject({ status: "down", last_check: { ok: false, reason: "heartbeat_missed" } });
    const incidents = () => organization.read.get<Incident[]>(`/uptime/incidents?monitor_id=${made.id}`);
    expect((await incidents()).data).toMatchObject([{ reason: "heartbeat_missed", ended_at: null }]);
    await call(made.heartbeat_url);
    expect(await get(made)).toMatchObject({ status: "up" });
    expect((await incidents()).data).toMatchObject([{ ended_at: expect.any(String) }]);
  });

  test("is down if it is never called", async () => {
    const made = await newHeartbeat({ interval_seconds: 60, grace_seconds: 0 });
    const { next_check_at, created_at } = await get(made);
    expect(Date.parse(next_check_at ?? "") - Date.parse(created_at)).toBe(60_000);
    await whenMissed(made, 0);
    expect(await get(made)).toMatchObject({ status: "down" });
  });

  test("waits for its next call if it became due while no worker ran", async () => {
    const made = await newHeartbeat();
    const due = `UPDATE uptime_monitors SET next_check_at = now() - interval '30 days'
      WHERE organization_id = $1 AND id = $2 RETURNING id`;
    expect(await query(server, "app", due, [organization.id, made.id])).toHaveLength(1);
    await whenPostponed(made);
    const { status, last_check, next_check_at, created_at } = await get(made);
    expect({ status, last_check }).toEqual({ status: "pending", last_check: null });
    expect(Date.parse(next_check_at ?? "") - Date.parse(created_at)).toBeGreaterThanOrEqual((3600 + 300) * 1000);
    expect(await countChecks(made)).toBe(0);
    expect(await call(made.heartbeat_url)).toEqual([200, "OK"]);
  });

  test("waits for its next call from when web processes run again, if they did not all the time when it was to be called", async () => {
    const [interval_seconds, grace_seconds] = [86_400, 86_400];
    const made = await newHeartbeat({ interval_seconds, grace_seconds });
    await call(made.heartbeat_url);
    // The grace began before these web processes did, even if another suite lets them have run for a day.
    const waits = `SELECT FROM uptime_monitors WHERE organization_id = $1 AND id = $2 AND abs(extract(epoch FROM next_check_at - (
      SELECT min(steady_since) FROM processes WHERE kind = 'web' AND seen_at > now() - interval '2 minutes')) - $3) < 1`;
    await until("it waits", async () => {
      await query(server, "app", MAKE_DUE, [organization.id, made.id]);
      await whenPostponed(made);
      const values = [organization.id, made.id, interval_seconds + grace_seconds];
      return (await query(server, "app", waits, values)).length > 0;
    });
    expect(await countChecks(made)).toBe(1);
    expect(await get(made)).toMatchObject({ status: "up", last_check: { ok: true } });
  });

  test("is down although the worker that found it late was killed before it recorded that", async () => {
    const made = await newHeartbeat();
    // A lease of 90 s that began when it had been due for 5 s.
    const killed = `UPDATE uptime_monitors SET next_check_at = now() - interval '30 days',
      leased_until = now() - interval '30 days' + interval '95 seconds' WHERE organization_id = $1 AND id = $2 RETURNING id`;
    expect(await query(server, "app", killed, [organization.id, made.id])).toHaveLength(1);
    await whenPostponed(made);
    expect(await get(made)).toMatchObject({ status: "down", last_check: { ok: false, reason: "heartbeat_missed" } });
  });

  test("is excused by a window that has its deadline, not by one in which a worker looks", async () => {
    const [excused, late] = await Promise.all([newHeartbeat(), newHeartbeat()]);
    const window = `INSERT INTO maintenance_windows (organization_id, id, name, starts_at, ends_at, repeat, monitor_ids, created_at)
      SELECT $1, $2, 'window', at - interval '1 hour', at + interval '1 hour', 'none', ARRAY[$3::uuid], at
      FROM (SELECT now() - make_interval(days => $4) AS at) AS times`;
    await query(server, "app", window, [organization.id, newId(), excused.id, 30]);
    await query(server, "app", window, [organization.id, newId(), late.id, 0]);
    // As after a worker that was killed: without one, both would wait for their next calls.
    const due = `UPDATE uptime_monitors SET next_check_at = now() - interval '30 days',
      leased_until = now() - interval '30 days' + interval '95 seconds' WHERE organization_id = $1 AND id = ANY($2)`;
    await query(server, "app", due, [organization.id, [excused.id, late.id]]);
    await Promise.all([whenPostponed(excused), whenPostponed(late)]);
    expect(await get(excused)).toMatchObject({ status: "pending", last_check: { ok: false, maintenance: true } });
    expect(await get(late)).toMatchObject({ status: "down", last_check: { ok: false, maintenance: false } });
  });

  test("is late in time although a process whose clock is a day ahead recorded a check", async () => {
    const made = await newHeartbeat();
    await call(made.heartbeat_url);
    const ahead = `UPDATE uptime_monitors SET last_checked_at = now() + interval '1 day' WHERE organization_id = $1 AND id = $2 RETURNING id`;
    expect(await query(server, "app", ahead, [organization.id, made.id])).toHaveLength(1);
    expect(await call(made.heartbeat_url)).toEqual([200, "OK"]);
    expect(await countChecks(made)).toBe(2);
    const called = await get(made);
    expect(Date.parse(called.last_check?.checked_at ?? "")).toBeLessThan(Date.now() + 60_000);
    expect(Date.parse(called.next_check_at ?? "")).toBeLessThan(Date.now() + (3600 + 300 + 60) * 1000);
  });

  test("records a call although another process, whose clock is ahead, has recorded a check", async () => {
    await clearOfBoundary(86_400_000, 30_000);
    const made = await newHeartbeat();
    await call(made.heartbeat_url);
    const ahead = `UPDATE uptime_monitors SET last_checked_at = last_checked_at + interval '1 second'
      WHERE organization_id = $1 AND id = $2 RETURNING last_checked_at`;
    const [before] = await query<{ last_checked_at: Date }>(server, "app", ahead, [organization.id, made.id]);
    expect(await call(made.heartbeat_url)).toEqual([200, "OK"]);
    expect(await countChecks(made)).toBe(2);
    const last = Date.parse((await get(made)).last_check?.checked_at ?? "");
    expect(last).toBeGreaterThan(before?.last_checked_at.getTime() ?? Number.POSITIVE_INFINITY);
  });

  test("records no call while it is paused", async () => {
    const made = await newHeartbeat({ paused: true });
    expect(await call(made.heartbeat_url)).toEqual([200, "The monitor is paused."]);
    expect(await countChecks(made)).toBe(0);
  });

  test("gets another URL, after which the previous one is unknown", async () => {
    const made = await newHeartbeat();
    const path = `/uptime/${made.id}/rotate-url`;
    expect((await organization.read.post(path)).status).toBe(403);
    expect((await (await newOrganization(server)).admin.post(path)).status).toBe(404);
    expect(await call(made.heartbeat_url)).toEqual([200, "OK"]);
    const rotated = await organization.admin.post<MonitorWithUrl>(path);
    expect(rotated.status).toBe(200);
    expect(await call(made.heartbeat_url)).toEqual([404, "No such heartbeat."]);
    expect(JSON.stringify(server.output())).not.toContain(made.heartbeat_url.slice(-43));
    expect(await call(rotated.data.heartbeat_url ?? "")).toEqual([200, "OK"]);
    const event = await eventById(server, rotated.requestId);
    expect(event).toMatchObject({ action: "monitor.rotate_url", status_code: 200 });
    expect(JSON.stringify(event)).not.toContain(rotated.data.heartbeat_url?.slice(-43));
  });

  test("answers at most ten calls of a URL in a minute, and none without a token", async () => {
    const made = await newHeartbeat({ paused: true });
    // At the same time, so that they take less than a minute on a slow machine too.
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(made.heartbeat_url)));
    expect(answers.map(([status]) => status)).toEqual(Array(10).fill(200));
    expect((await call(made.heartbeat_url))[0]).toBe(429);
    expect((await call(`${server.url}/heartbeat/short`))[0]).toBe(404);
    expect((await call(`${server.url}/heartbeat/${"x".repeat(43)}`))[0]).toBe(404);
  });

  test("is not checked, has no target, and may wait longer than others", async () => {
    const made = await newHeartbeat({ tags: ["nightly"] });
    const checked = await organization.admin.post(`/uptime/${made.id}/check`);
    expect([checked.status, checked.error.message]).toEqual([409, "A heartbeat is not checked: it waits for calls."]);
    const queued = await organization.admin.post<{ queued: number }>("/uptime/bulk/check", { tag: "nightly" });
    expect(queued.data).toEqual({ queued: 0 });
    const refused = async (body: object) => {
      const { status, error } = await organization.admin.post("/uptime", { name: newId(), ...body });
      return [status, error.issues?.[0]?.path];
    };
    expect(await refused({ type: "heartbeat", target: "http://127.0.0.1/" })).toEqual([400, "target"]);
    const target = "127.0.0.1:9";
    expect(await refused({ type: "tcp", target, interval_seconds: 86_401 })).toEqual([400, "interval_seconds"]);
    const other = await organization.admin.post<Monitor>("/uptime", { name: newId(), type: "tcp", target });
    const url = await organization.admin.post(`/uptime/${other.data.id}/rotate-url`);
    expect([url.status, url.error.message]).toEqual([409, "Only heartbeat monitors have a URL."]);
  });

  test("keeps its deadline when its name or tags change, although it was never called", async () => {
    const made = await newHeartbeat();
    const renamed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { name: newId(), tags: ["nightly-2"] });
    expect(renamed.data).toMatchObject({ status: "pending", next_check_at: made.next_check_at });
  });

  test("keeps its deadline when only its name changes, and has one of its own period when that changes", async () => {
    const made = await newHeartbeat();
    await call(made.heartbeat_url);
    const before = await get(made);
    const renamed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { name: newId() });
    expect(renamed.data).toMatchObject({ status: "up", next_check_at: before.next_check_at });
    const slower = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { interval_seconds: 7200 });
    const moved = Date.parse(slower.data.next_check_at ?? "") - Date.parse(before.next_check_at ?? "");
    expect(moved).toBe(3600 * 1000);
  });

  test("added in bulk has no URL until it is replaced", async () => {
    const items = [{ name: newId(), type: "heartbeat" }];
    const bulk = await organization.admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items });
    const [{ id } = { id: "" }] = bulk.data.results;
    const again = await organization.admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items });
    expect([bulk, again].map(({ data }) => data.results[0]?.status)).toEqual(["created", "unchanged"]);
    const rotated = await organization.admin.post<MonitorWithUrl>(`/uptime/${id}/rotate-url`);
    expect(await call(rotated.data.heartbeat_url ?? "")).toEqual([200, "OK"]);
  });
});
