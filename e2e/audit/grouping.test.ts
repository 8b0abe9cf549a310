import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { anyEvent, anyFilters } from "@/e2e/audit/generate";
import { fits, type Query } from "@/e2e/audit/model/model";
import { reader, store, storeMany } from "@/e2e/audit/store";
import { bind } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { isLong } from "@/e2e/support/tier";
import { dailyDescribe, dailyTest } from "@/e2e/support/tier-tests";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { filters } from "@/lib/audit-logs/filters";
import { type CountedRow, type Counting, countNewest } from "@/lib/audit-logs/group/count-newest";
import { facetDimensions, type GroupDimension, groupDimensions } from "@/lib/audit-logs/group/dimensions";
import { getAuditFacets } from "@/lib/audit-logs/group/facets";
import { getAuditFacets as facetsContract } from "@/lib/audit-logs/group/facets-contract";
import { groupAuditLogs } from "@/lib/audit-logs/group/group-events";
import { groupAuditLogs as contract } from "@/lib/audit-logs/group/group-events-contract";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { idTime } from "@/lib/ids";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const SEED = 20_261_122;
const RUNS = isLong ? 200 : 15;

const server = sharedServer();
const now = Date.now();
const principal = reader();
const stranger = reader();
const recent = fc.integer({ min: now - 20 * DAY_MS, max: now - 1 });
const rows = fc.sample(anyEvent(principal.organizationId, 30, recent), { seed: SEED, numRuns: 300 });

beforeAll(async () => {
  bind(server);
  await store(rows);
  await store(fc.sample(anyEvent(stranger.organizationId, 30, recent), { seed: SEED + 1, numRuns: 30 }));
});

/** The /24 or /48 of one of the generated addresses, written by hand. */
const networks: Record<string, string> = {
  ...{ "10.0.0.1": "10.0.0.0/24", "10.0.0.2": "10.0.0.0/24", "10.0.1.1": "10.0.1.0/24", "10.9.8.7": "10.9.8.0/24" },
  ...{ "172.16.3.4": "172.16.3.0/24", "192.0.2.255": "192.0.2.0/24", "203.0.113.9": "203.0.113.0/24" },
  ...{ "255.255.255.255": "255.255.255.0/24", "::1": "::/48", "2001:db8::1": "2001:db8::/48" },
  ...{ "2001:db8::2": "2001:db8::/48", "2001:db8:0:1::": "2001:db8::/48", "2001:db8:ffff::7": "2001:db8:ffff::/48" },
  ...{ "2001:dead:beef::1": "2001:dead:beef::/48", "fe80::a:b:c:d": "fe80::/48" },
};

/** The values of a dimension that an event has. */
function valuesOf(row: AuditRow, dimension: GroupDimension): string[] {
  if (dimension === "flag") return [...row.flags];
  const value = {
    ...{ ip: row.ip_address, network: networks[row.ip_address ?? ""], status: row.status_code?.toString() },
    ...{ api_key_id: row.api_key_id, user_id: row.user_id, country: row.country, route: row.route },
    ...{ method: row.method, error_code: row.error_code, user_agent: row.user_agent, action: row.action },
  }[dimension];
  return value ? [value] : [];
}

interface Counted {
  values: string[];
  events: number;
  first_at: string;
  last_at: string;
}

/** Groups event by event, the largest first. */
function model(matching: readonly AuditRow[], by: readonly GroupDimension[]): Counted[] {
  const groups = new Map<string, { values: string[]; times: number[] }>();
  for (const row of matching) {
    const [first = [], second = [null]] = by.map((dimension) => valuesOf(row, dimension));
    for (const one of first) {
      for (const other of second) {
        const values = other === null ? [one] : [one, other];
        const group = groups.get(values.join("\n")) ?? { values, times: [] };
        group.times.push(idTime(row.id));
        groups.set(values.join("\n"), group);
      }
    }
  }
  return [...groups.values()].map(({ values, times }) => ({
    values,
    events: times.length,
    first_at: new Date(Math.min(...times)).toISOString(),
    last_at: new Date(Math.max(...times)).toISOString(),
  }));
}

const byValues = (a: Counted, b: Counted) => (a.values.join("\n") < b.values.join("\n") ? -1 : 1);
const groupsOf = (asked: Query) => groupAuditLogs(principal, contract.query.parse(asked));
const facetsOf = (asked: Query) => getAuditFacets(principal, facetsContract.query.parse(asked));

describe(`groups against a model (seed ${SEED})`, () => {
  test("count every event by any one or two dimensions, with any filters", async () => {
    const by = fc.shuffledSubarray([...groupDimensions], { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(by, anyFilters([now]), async (chosen, asked) => {
        const matching = rows.filter((row) => idTime(row.id) < now && fits(asked, row));
        const answer = await groupsOf({ ...asked, by: chosen.join(",") });
        const expected = model(matching, chosen);
        expect(answer).toMatchObject({ has_earlier: false, events: matching.length, unique_groups: expected.length });
        const sizes = answer.groups.map(({ events }) => events);
        expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        for (const { series, events } of answer.groups) {
          expect(series).toHaveLength(answer.series_starts.length);
          expect(series.reduce((sum, count) => sum + count, 0)).toBe(events);
        }
        if (expected.length > 100) return;
        const found = answer.groups.map(({ values, events, first_at, last_at }) => ({
          values,
          events,
          first_at,
          last_at,
        }));
        expect(found.sort(byValues)).toEqual(expected.sort(byValues));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  test("facets count the values of every dimension, with any filters", async () => {
    await fc.assert(
      fc.asyncProperty(anyFilters([now]), async (asked) => {
        const matching = rows.filter((row) => idTime(row.id) < now && fits(asked, row));
        const { facets, events, has_earlier } = await facetsOf(asked);
        expect({ events, has_earlier }).toEqual({ events: matching.length, has_earlier: false });
        expect(facets.map(({ dimension }) => dimension)).toEqual([...facetDimensions]);
        for (const { dimension, values } of facets) {
          const expected = new Map(model(matching, [dimension]).map((group) => [group.values[0], group.events]));
          const largest = [...expected.values()].sort((a, b) => b - a).slice(0, 10);
          expect(values.map((value) => value.events)).toEqual(largest);
          for (const { value, events } of values) expect(expected.get(value)).toBe(events);
          if (dimension === "ip") for (const { value, network } of values) expect(network).toBe(networks[value]);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  dailyTest("refuse anything but one or two different dimensions", () => {
    for (const by of ["", "colour", "ip,ip", "ip,route,status", "ip,"]) {
      expect(contract.query.safeParse({ by }).success, by).toBe(false);
    }
    expect(contract.query.safeParse({}).success).toBe(false);
  });
});

dailyDescribe("the newest events of a range", () => {
  const flood = reader();
  const [count, everyMs] = [3_000, 20_000];
  const from = now - DAY_MS;
  /** The events have the numbers 1 to `count`. */
  const timeOf = (number: number) => from + number * everyMs;
  const counting: Counting = {
    columns: [],
    rest: () => "totals AS (SELECT count(*) AS total FROM counted) SELECT total, since FROM totals, bound",
  };
  const newest = async (asked: Query, most: number, least = most, budgetMs = 60_000) =>
    countNewest<CountedRow>(await scopeOf(flood.organizationId), filters.parse(asked), counting, {
      most,
      least,
      budgetMs,
    });
  const since = new Date(timeOf(count - 999)).toISOString();
  const until = new Date(timeOf(count) + 1).toISOString();

  beforeAll(() => storeMany(server, flood.organizationId, { count, path: "/x/", from, everyMs }));

  test.each([{ until }, { until, path: "/x/*" }])("begin right after those that are left out: %j", async (asked) => {
    const { events, range } = await newest(asked, 100);
    expect({ events, hasEarlier: range.hasEarlier }).toEqual({ events: 100, hasEarlier: true });
    expect(range.from).toBeLessThanOrEqual(timeOf(count - 99));
    expect(range.from).toBeGreaterThan(timeOf(count - 100));
  });

  test("are a good part of the maximum, each counted once", async () => {
    const { events, range } = await newest({ until }, 1_000);
    expect(range.hasEarlier).toBe(true);
    expect(events).toBeGreaterThanOrEqual(400);
    expect(events).toBe(count - Math.ceil((range.from - from) / everyMs) + 1);
  });

  test("are at least the least number, whatever that takes", async () => {
    const { events } = await newest({ until }, 10_000, 1_500, 0);
    expect(events).toBeGreaterThanOrEqual(1_500);
    expect((await newest({ until }, 10_000, 1, 0)).events).toBe(HOUR_MS / everyMs);
  });

  test("are all, if there are not more", async () => {
    expect(await newest({}, 10_000)).toMatchObject({ events: count, range: { hasEarlier: false } });
    expect(await newest({ since }, 1_000)).toMatchObject({
      events: 1_000,
      range: { from: Date.parse(since), hasEarlier: false },
    });
    const groups = await groupAuditLogs(flood, contract.query.parse({ by: "method,status", since }));
    expect(groups).toMatchObject({ events: 1_000, groups: [{ values: ["GET", "200"], events: 1_000 }] });
  });
});
