import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { groupFilters } from "@/components/security-events/group-words";
import { anyEvent, anyFilters } from "@/e2e/audit/generate";
import { fits, isSecurity, type Query } from "@/e2e/audit/model/model";
import { reader, store } from "@/e2e/audit/store";
import { bind } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { isLong } from "@/e2e/support/tier";
import { dailyTest } from "@/e2e/support/tier-tests";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import { getAuditStats as statsContract } from "@/lib/audit-logs/count/stats-contract";
import { isAlarming } from "@/lib/audit-logs/flags";
import { REDACTED_CALLER } from "@/lib/audit-logs/redacted-caller";
import { groupSecurityEvents } from "@/lib/audit-logs/security/group-security-events";
import { groupSecurityEvents as contract, type SecurityEventGroup } from "@/lib/audit-logs/security/groups-contract";
import { tokensOf } from "@/lib/audit-logs/tokens";
import { idTime } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const SEED = 20_261_121;
const RUNS = isLong ? 60 : 15;

const server = sharedServer();
const now = Date.now();
const principal = reader();
const recent = fc.integer({ min: now - 20 * DAY_MS, max: now - 1 });
const rows = fc.sample(anyEvent(principal.organizationId, 30, recent), { seed: SEED, numRuns: 400 }).map(possible);

/** Like events of the pipeline: the caller matches the type of authentication. Of some it was redacted. */
function possible(row: AuditRow, at: number): AuditRow {
  if (at % 10 === 0) return { ...row, ...REDACTED_CALLER };
  const { auth_type, api_key_id, user_id, ip_address } = row;
  return {
    ...row,
    api_key_id: auth_type === "api_key" ? (api_key_id ?? principal.organizationId) : null,
    user_id: auth_type === "session" ? (user_id ?? principal.organizationId) : null,
    ip_address: auth_type === "system" ? null : (ip_address ?? "192.0.2.1"),
  };
}

beforeAll(async () => {
  bind(server);
  await store(rows);
});

const groupsOf = (asked: Query) => groupSecurityEvents(principal, contract.query.parse(asked));

function sourceOf(row: AuditRow): string {
  if (row.api_key_id !== null) return `api_key ${row.api_key_id}`;
  if (row.auth_type === "") return "redacted null";
  if (row.user_id !== null) return `user ${row.user_id}`;
  return row.ip_address !== null ? `address ${row.ip_address}` : "system null";
}

/** Groups computed from each event: by flag and source, with counts, addresses, first and last time. */
function model(asked: Query) {
  const { flag: chosen } = asked;
  const groups = new Map<string, AuditRow[]>();
  for (const row of rows.filter((row) => isSecurity(row) && fits(asked, row))) {
    for (const flag of row.flags) {
      if (flag === "interrupted" || (chosen !== undefined && !fits({ flag: chosen }, { ...row, flags: [flag] })))
        continue;
      const key = `${flag} ${sourceOf(row)}`;
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
  }
  return [...groups].map(([key, found]) => {
    const times = found.map(({ id }) => idTime(id)).sort((a, b) => a - b);
    return {
      key,
      events: found.length,
      unique_ips: new Set(found.flatMap(({ ip_address }) => ip_address ?? [])).size,
      first_at: new Date(times[0] ?? 0).toISOString(),
      last_at: new Date(times.at(-1) ?? 0).toISOString(),
    };
  });
}

function shown({ flag, source, events, unique_ips, first_at, last_at }: SecurityEventGroup) {
  return { key: `${flag} ${source.type} ${source.id}`, events, unique_ips, first_at, last_at };
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);

describe(`groups of security events against a model (seed ${SEED})`, () => {
  test("count every event, with any filters", async () => {
    const filters = fc.oneof(
      fc.constant<Query>({}),
      anyFilters([now]).map(({ security_event: _, ...asked }): Query => asked),
    );
    await fc.assert(
      fc.asyncProperty(filters, async (asked) => {
        const { groups, has_more, series_starts } = await groupsOf(asked);
        const expected = model(asked);
        expect(has_more).toBe(expected.length > 200);
        if (!has_more) expect(groups.map(shown).sort(byKey)).toEqual(expected.sort(byKey));
        for (const { events, series } of groups) {
          expect(series).toHaveLength(series_starts.length);
          expect(series.reduce((sum, count) => sum + count, 0)).toBe(events);
        }
        const alarming = groups.filter(({ flag }) => isAlarming(flag));
        const others = groups.filter(({ flag }) => !isAlarming(flag));
        expect(groups).toEqual([...alarming, ...others]);
        for (const part of [alarming, others]) {
          const newest = part.map(({ last_event_id }) => last_event_id);
          expect(newest).toEqual([...newest].sort().reverse());
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  dailyTest("are each found by their own filters", async () => {
    const { groups, since, until } = await groupsOf({});
    expect(groups.length).toBeGreaterThan(20);
    for (const group of groups) {
      const asked = statsContract.query.parse({ ...groupFilters(group), since, until });
      expect((await getAuditStats(principal, asked)).totals.requests).toBe(group.events);
    }
  });

  dailyTest("count the newest part of a range with too many events, and say so", async () => {
    const flood = reader();
    const [count, from] = [51_000, now - DAY_MS];
    const { organizationId } = flood;
    const { row } = new AuditEventDraft({
      ...{ organization_id: organizationId, method: "GET", path: "/x", status_code: 429, flags: ["rate_limited"] },
      ...{ auth_type: "api_key", api_key_id: organizationId, ip_address: "10.0.0.1" },
    });
    await query(
      server,
      "audit",
      `INSERT INTO audit_events (organization_id, retention_days, id, occurred_at, method, path, status_code, auth_type, api_key_id,
         ip_address, flags, is_security_event, tokens)
       SELECT $1, 30, (lpad(to_hex(at), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid, to_timestamp(at / 1000.0), 'GET',
         '/x', 429, 'api_key', $1, '10.0.0.1', '{rate_limited}', true, $4
       FROM generate_series(1, $2::integer) AS n, LATERAL (SELECT $3::bigint + n * 1000 AS at) AS times`,
      [organizationId, count, from, tokensOf(row)],
    );
    const { groups, has_earlier, since, series_starts } = await groupSecurityEvents(flood, contract.query.parse({}));
    expect(has_earlier).toBe(true);
    const [group] = groups;
    expect(groups).toHaveLength(1);
    const counted = Math.floor((from + count * 1000 - Date.parse(since)) / 1000) + 1;
    expect(group).toMatchObject({ flag: "rate_limited", events: counted, unique_ips: 1 });
    expect(counted).toBeGreaterThan(1_000);
    expect(counted).toBeLessThanOrEqual(50_000);
    expect(series_starts[0]).toBe(since);
    expect(group?.series.reduce((sum, events) => sum + events, 0)).toBe(counted);
    const part = await groupSecurityEvents(
      flood,
      contract.query.parse({ since: new Date(from).toISOString(), until: new Date(from + 10_001_000).toISOString() }),
    );
    expect(part).toMatchObject({ has_earlier: false, groups: [{ events: 10_000 }] });
  });

  test("refuse filters for other events", async () => {
    await expect(groupsOf({ security_event: "false" })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });
});
