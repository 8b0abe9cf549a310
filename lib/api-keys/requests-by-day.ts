import { USAGE_DAYS } from "@/lib/api-keys/usage-contract";
import { daysBack } from "@/lib/audit-logs/count/key-counts";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";

/** Requests per key and UTC day. */
export interface DailyRequests {
  /** Midnight of the first day, in Unix milliseconds. */
  since: number;
  /** By key id, oldest day first, today last. Unused keys have no entry. */
  byKey: Map<string, number[]>;
}

/**
 * Counts each key's requests on the last 30 UTC days: from the rollups, with one value per key and day because the index columns are all given,
 * plus the deltas that are not folded in yet.
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
