import { type KeyDimension, keyDimensions } from "@/lib/audit-logs/count/dimensions";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
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

/**
 * SQL: counts by UTC day since `$3` in the dimensions `$4`, in one snapshot: rollups plus deltas that are not folded in yet. `fits` is a
 * condition for their values.
 */
function countsOf(fits = "true"): string {
  const within = `organization_id = $1 AND retention_days = ANY ($2::smallint[]) AND start >= $3 AND dimension = ANY ($4) AND ${fits}`;
  return `(SELECT start, dimension, value, events, peak FROM audit_rollups WHERE ${within} AND grain = 'day'
    UNION ALL SELECT start, dimension, value, added.events, peak
    FROM audit_deltas, unnest(dimensions, "values", events, peaks) AS added (dimension, value, events, peak) WHERE ${within}) AS counts`;
}

/** The counts of one key since a UTC midnight. */
export async function readKeyCounts(
  scope: Scope,
  apiKeyId: string,
  since: number,
  kinds: readonly KeyDimension[] = keyDimensions,
): Promise<KeyCount[]> {
  const { rows } = await auditPool("report").query<Row>(
    `SELECT date_trunc('day', start, 'UTC') AS day, dimension, value, sum(events) AS events, max(peak) AS peak
     FROM ${countsOf()} GROUP BY 1, 2, 3 HAVING sum(events) > 0 ORDER BY 1, 2, 3`,
    [...boundsOf(scope, since), kinds.map((kind) => `${kind}:${apiKeyId}`)],
  );
  return rows.map(({ day, dimension, value, events, peak }) => ({
    day: day.getTime(),
    dimension: dimension.slice(0, dimension.indexOf(":")) as KeyDimension,
    value,
    events: Number(events),
    peak,
  }));
}

/** An address from which a rotated-out secret of a key was used; null if unknown. */
export interface RotatedOrigin {
  apiKeyId: string;
  address: string | null;
  hint: string;
}

/**
 * The addresses that used rotated-out secrets of several keys since a UTC midnight, at most `limit`. If there are more, each key has
 * as many as the others, those with the most requests. `statementMs` replaces the purpose's limit.
 */
export async function readRotatedOrigins(
  scope: Scope,
  apiKeyIds: readonly string[],
  since: number,
  limit: number,
  statementMs: number,
): Promise<RotatedOrigin[]> {
  const text = `SELECT split_part(dimension, ':', 2) AS "apiKeyId", nullif(split_part(value, ' ', 1), '') AS address, split_part(value, ' ', 3) AS hint
    FROM ${countsOf("value NOT LIKE '% '")} GROUP BY 1, 2, 3 HAVING sum(events) > 0
    ORDER BY row_number() OVER (PARTITION BY split_part(dimension, ':', 2) ORDER BY sum(events) DESC), 1 LIMIT $5`;
  const values = [...boundsOf(scope, since), apiKeyIds.map((id) => `key_origin:${id}`), limit];
  const { rows } = await withTransaction(auditPool("report"), (client) => client.query<RotatedOrigin>(text, values), {
    readOnly: true,
    statementMs,
  });
  return rows;
}

function boundsOf({ organizationId, classes }: Scope, since: number) {
  return [organizationId, classes, new Date(since).toISOString()];
}
