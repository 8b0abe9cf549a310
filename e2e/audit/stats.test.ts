import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { anyEvent, anyFilters } from "@/e2e/audit/generate";
import type { Query } from "@/e2e/audit/model/model";
import { count, nearestRank, within } from "@/e2e/audit/model/stats-model";
import { reader, store } from "@/e2e/audit/store";
import { bind } from "@/e2e/support/organization";
import { whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { isLong } from "@/e2e/support/tier";
import { dailyDescribe, dailyTest } from "@/e2e/support/tier-tests";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { foldDeltas } from "@/lib/audit-logs/count/fold-deltas";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import { type AuditStats, getAuditStats as contract, intervals } from "@/lib/audit-logs/count/stats-contract";
import { statsInDetail } from "@/lib/audit-logs/count/stats-in-detail";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { append } from "@/lib/audit-logs/write/append";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";
import { auditPool } from "@/lib/db/audit";
import type { Principal } from "@/lib/http/principal";
import { idTime } from "@/lib/ids";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const SEED = 20_261_122;
const RUNS = isLong ? 300 : 60;
const MAX_POINTS = 3_000;

const server = sharedServer();
const now = Date.now();
const midnight = now - (now % DAY_MS);

const recent = fc.oneof(
  fc.integer({ min: now - 20 * DAY_MS, max: now - 1 }),
  fc.integer({ min: now - 3 * HOUR_MS, max: now - 1 }),
  fc.constantFrom(midnight, midnight - 1, midnight - HOUR_MS, midnight - 2 * DAY_MS, midnight - 2 * DAY_MS - 1),
);
const sample = ({ organizationId }: Principal, size: number, seed = SEED) =>
  fc.sample(anyEvent(organizationId, 30, recent), { seed, numRuns: size });
const asEntries = (rows: readonly AuditRow[]) => rows.map((row) => ({ row, body: null }));

const statsOf = (principal: Principal, asked: Query = {}) => getAuditStats(principal, contract.query.parse(asked));

/** Fails unless every figure equals a count event by event. */
function expectCounted(stats: AuditStats, rows: readonly AuditRow[], asked: Query): void {
  const { since, until: end, interval, retention_days, response_time_ms, ...counted } = stats;
  const range = { from: Date.parse(since), to: Date.parse(end), interval };
  const { interval: _, since: __, until: ___, ...filters } = asked;
  const found = within(rows, filters, range);
  expect(counted).toEqual(count(found, range));
  expect(counted.series.reduce((sum, point) => sum + point.requests, 0)).toBe(counted.totals.requests);
  expect(retention_days).toBe(30);
  expect(response_time_ms.max).toBe(nearestRank(found, 1));
  for (const [name, share] of Object.entries({ p50: 0.5, p95: 0.95, p99: 0.99 }) as ["p50" | "p95" | "p99", number][]) {
    const exact = nearestRank(found, share);
    if (exact === null) expect(response_time_ms[name]).toBeNull();
    else expect(Math.abs((response_time_ms[name] ?? 0) / exact - 1)).toBeLessThanOrEqual(0.01);
  }
}

beforeAll(() => bind(server));

describe(`stats against a model (seed ${SEED})`, () => {
  const principal = reader();
  const rows = sample(principal, 500);
  const newcomers = sample(principal, RUNS * 2, SEED + 1);

  beforeAll(() => store(rows));

  const instant = fc.oneof(
    fc.integer({ min: now - 22 * DAY_MS, max: now + HOUR_MS }),
    fc.integer({ min: 0, max: 22 * 24 }).map((hours) => now - (now % HOUR_MS) - hours * HOUR_MS),
    fc.integer({ min: 0, max: 22 }).map((days) => midnight - days * DAY_MS),
    fc.constantFrom(...rows.map(({ id }) => idTime(id))),
  );
  const range = fc
    .record({ since: instant, until: instant }, { requiredKeys: [] })
    .filter(({ since = 0, until: end = Number.POSITIVE_INFINITY }) => since < end)
    .map((bounds) => Object.fromEntries(Object.entries(bounds).map(([k, v]) => [k, new Date(v).toISOString()])));
  const filters = fc.oneof(
    fc.constantFrom<Query>({}, { via: "!dashboard_read" }, { via: "dashboard_read" }),
    anyFilters([now]).map(({ since, until: end, ...rest }): Query => rest),
  );
  const interval = fc.option(fc.constantFrom(...intervals), { nil: undefined });

  const property = fc.asyncProperty(range, filters, interval, async (bounds, chosen, step) => {
    // One more event each time: some counts are folded into the rollups, some are not yet.
    const newcomer = newcomers.pop();
    if (newcomer !== undefined) {
      await store([newcomer]);
      rows.push(newcomer);
    }
    const asked: Query = { ...bounds, ...chosen, ...(step !== undefined && { interval: step }) };
    const asOf = Date.now();
    const from = Math.max(Date.parse(bounds.since ?? "1970-01-01"), asOf - 30 * DAY_MS);
    const to = Math.min(Date.parse(bounds.until ?? "9999-01-01"), asOf);
    const points = step === undefined ? 0 : (to - from) / { minute: 60_000, hour: HOUR_MS, day: DAY_MS }[step];
    if (points > MAX_POINTS) {
      await expect(statsOf(principal, asked)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
      return;
    }
    const stats = await statsOf(principal, asked);
    if (from < to && bounds.since !== undefined) expect(stats.since).toBe(bounds.since);
    expectCounted(stats, rows, asked);
  });

  test("equal a count over the list, for any range, interval and filters", async () => {
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  });

  dailyTest.each<Query>([{}, { via: "!dashboard_read" }, { status: "4xx" }])(
    "of the histogram count the events of a day by minute, with the filters %j",
    async (chosen) => {
      const asked = { ...chosen, since: new Date(now - DAY_MS).toISOString(), until: new Date(now).toISOString() };
      const { interval: _, ...filters } = contract.query.parse(asked);
      const stats = await statsInDetail(await scopeOf(principal.organizationId), filters);
      expect([stats.interval, stats.totals.requests > 0]).toEqual(["minute", true]);
      expectCounted(stats, rows, asked);
    },
  );

  dailyTest("end now and begin at the plan's retention by default", async () => {
    const before = Date.now();
    const { since, until: end } = await statsOf(principal);
    const after = Date.now();
    expect(Date.parse(since)).toBeGreaterThanOrEqual(before - 30 * DAY_MS);
    expect(Date.parse(since)).toBeLessThanOrEqual(after - 30 * DAY_MS);
    expect(Date.parse(end)).toBeGreaterThan(before);
    expect(Date.parse(end)).toBeLessThanOrEqual(after + 1);
  });

  dailyTest("of a future range are empty", async () => {
    const stats = await statsOf(principal, { since: new Date(now + DAY_MS).toISOString() });
    expect(stats).toMatchObject({ totals: { requests: 0 }, response_time_ms: { p50: null, max: null }, by_ip: [] });
  });
});

dailyDescribe("an event counts once", () => {
  const whole = async (principal: Principal, rows: readonly AuditRow[]) => {
    for (const asked of [{}, { interval: "day" }, { method: "!PATCH" }, { via: "!dashboard_read" }]) {
      expectCounted(await statsOf(principal, asked), rows, asked);
    }
  };

  test("even if it is stored repeatedly, before and after its counts are folded", async () => {
    const principal = reader();
    const rows = sample(principal, 60);
    const [one] = rows;
    await store(rows);
    await store(rows);
    if (one) await append(auditPool(), asEntries([one, one]));
    await whole(principal, rows);
    await foldDeltas();
    await store(rows);
    await whole(principal, rows);
  });

  test("even if its first batch contains it twice", async () => {
    const principal = reader();
    const [one, other] = sample(principal, 2);
    if (!one || !other) throw new Error("no events were generated");
    const twice = [one, other, one].map((row) => ({ row, body: Buffer.from("body") }));
    await append(auditPool(), twice);
    await whole(principal, [one, other]);
  });

  test("if writers race with the same events while workers fold", async () => {
    const principal = reader();
    const rows = sample(principal, 300);
    const races = [0, 60, 120, 180].map((from) => rows.slice(from, from + 120));
    const settled = await Promise.allSettled([
      ...races.map((part) => append(auditPool(), asEntries(part))),
      foldDeltas(),
      ...races.map((part) => append(auditPool(), asEntries(part.toReversed()))),
      foldDeltas(),
    ]);
    // PostgreSQL may end one of two transactions in a deadlock, which is then retried.
    const refusals = settled.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    expect(refusals.filter((text) => !text.includes("deadlock"))).toEqual([]);
    await store(rows);
    await whole(principal, rows);
    await foldDeltas();
    await whole(principal, rows);
  });

  test("if it arrives late through the outbox and is already stored", async () => {
    const principal = reader();
    const rows = sample(principal, 90);
    await store(rows.slice(0, 60));
    await foldDeltas();
    await enqueueOutbox(asEntries(rows.slice(30)));
    await whenDelivered(server, principal.organizationId);
    await whole(principal, rows);
    await foldDeltas();
    await whole(principal, rows);
  });
});
