import { type KeyDimension, keyDimensions } from "@/lib/audit-logs/count/dimensions";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import { DAY_MS } from "@/lib/time/units";

/** Number of events of a key on one UTC day with one value of a dimension. */
export interface KeyCount {
  /** Unix milliseconds. */
  day: number;
  dimension: KeyDimension;
  value: string;
  events: number;
  peak: number | null;
}

interface Row {
  day: Date;
  dimension: string;
  value: string;
  events: string;
  peak: number | null;
}

/** Start of the last `days` UTC days including today, limited by the retention of the organization's plan. Unix milliseconds. */
export function daysBack(scope: Scope, days: number, now = Date.now()): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return Math.max(today - (days - 1) * DAY_MS, Math.ceil(scope.oldest / DAY_MS) * DAY_MS);
}

/** The counts of one key since a UTC midnight, in one snapshot: rollups plus deltas that are not folded in yet. */
export async function readKeyCounts(
  scope: Scope,
  apiKeyId: string,
  since: number,
  kinds: readonly KeyDimension[] = keyDimensions,
): Promise<KeyCount[]> {
  const within = `organization_id = $1 AND retention_days = ANY ($2::smallint[]) AND start >= $3 AND dimension = ANY ($4)`;
  const { rows } = await auditPool("report").query<Row>(
    `SELECT date_trunc('day', start, 'UTC') AS day, dimension, value, sum(events) AS events, max(peak) AS peak FROM (
       SELECT start, dimension, value, events, peak FROM audit_rollups WHERE ${within} AND grain = 'day'
       UNION ALL SELECT start, dimension, value, added.events, peak
       FROM audit_deltas, unnest(dimensions, "values", events, peaks) AS added (dimension, value, events, peak) WHERE ${within}
     ) AS counts GROUP BY 1, 2, 3 HAVING sum(events) > 0 ORDER BY 1, 2, 3`,
    [scope.organizationId, scope.classes, new Date(since).toISOString(), kinds.map((kind) => `${kind}:${apiKeyId}`)],
  );
  return rows.map(({ day, dimension, value, events, peak }) => ({
    day: day.getTime(),
    dimension: dimension.slice(0, dimension.indexOf(":")) as KeyDimension,
    value,
    events: Number(events),
    peak,
  }));
}
