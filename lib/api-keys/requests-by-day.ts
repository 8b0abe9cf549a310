import { USAGE_DAYS } from "@/lib/api-keys/usage-contract";
import { daysBack } from "@/lib/audit-logs/count/key-counts";
import { scopeOf } from "@/lib/audit-logs/scope";
import { auditPool } from "@/lib/db/audit";
import type { Principal } from "@/lib/http/principal";

const DAY_MS = 86_400_000;

/** Requests with some keys on each UTC day. */
export interface DailyRequests {
  /** Unix milliseconds: the first day's midnight. */
  since: number;
  /** By key id, oldest day first, today last. A key that was not used has no entry. */
  byKey: Map<string, number[]>;
}

/**
 * How often each key was used on the last 30 UTC days: a value a key and day from the rollups, whose key's columns are all named,
 * and what is not yet folded into them.
 */
export async function requestsByDay({ organizationId }: Principal, ids: readonly string[]): Promise<DailyRequests> {
  const scope = await scopeOf(organizationId);
  const now = Date.now();
  const since = daysBack(scope, USAGE_DAYS, now);
  const days = Array.from({ length: Math.floor((now - since) / DAY_MS) + 1 }, (_, n) => since + n * DAY_MS);
  const within = "organization_id = $1 AND retention_days = ANY ($2::smallint[])";
  const ofKeys = "dimension = 'api_key' AND value = ANY ($4::text[])";
  const { rows } = await auditPool("report").query<{ day: Date; value: string; events: string }>(
    `SELECT date_trunc('day', start, 'UTC') AS day, value, sum(events) AS events FROM (
       SELECT start, value, events FROM audit_rollups
       WHERE ${within} AND grain = 'day' AND start = ANY ($3::timestamptz[]) AND ${ofKeys}
       UNION ALL SELECT start, value, added.events
       FROM audit_deltas, unnest(dimensions, "values", events) AS added (dimension, value, events)
       WHERE ${within} AND start >= $5 AND ${ofKeys}
     ) AS counts GROUP BY 1, 2`,
    [organizationId, scope.classes, days.map((day) => new Date(day)), ids, new Date(since)],
  );
  const byKey = new Map<string, number[]>();
  for (const { day, value, events } of rows) {
    const counts = byKey.get(value) ?? days.map(() => 0);
    counts[(day.getTime() - since) / DAY_MS] = Number(events);
    byKey.set(value, counts);
  }
  return { since, byKey };
}
