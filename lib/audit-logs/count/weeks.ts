import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import type { Principal } from "@/lib/http/principal";
import { HOUR_MS } from "@/lib/time/units";

const WEEK_MS = 168 * HOUR_MS;

/** Numbers of events in a week. */
export interface WeekOfEvents {
  requests: number;
  /** Refused or failed. */
  errors: number;
  securityEvents: number;
}

/**
 * The last 168 hours, including the current one, and the 168 hours before; from rollups, without reads by people in the
 * dashboard. Throws 503.
 */
export async function readWeeks({ organizationId }: Principal): Promise<{ last: WeekOfEvents; before: WeekOfEvents }> {
  const { classes } = await scopeOf(organizationId);
  const middle = (Math.floor(Date.now() / HOUR_MS) + 1) * HOUR_MS - WEEK_MS;
  const within = `organization_id = $1 AND retention_days = ANY ($2::smallint[]) AND start >= $3`;
  // Reads have their own value of `total`. None of them failed or is a security event.
  const only = "(dimension IN ('status', 'security') OR dimension = 'total' AND value = '')";
  const { rows } = await auditPool("report").query<{
    is_last: boolean;
    dimension: string;
    value: string;
    events: string;
  }>(
    `SELECT start >= $4 AS is_last, dimension, value, sum(events) AS events FROM (
       SELECT start, dimension, value, events FROM audit_rollups WHERE ${within} AND grain = 'hour' AND ${only}
       UNION ALL SELECT start, dimension, value, added.events
       FROM audit_deltas, unnest(dimensions, "values", events) AS added (dimension, value, events) WHERE ${within} AND ${only}
     ) AS counts GROUP BY 1, 2, 3`,
    [organizationId, classes, new Date(middle - WEEK_MS), new Date(middle)],
  );
  const week = (isLast: boolean): WeekOfEvents => {
    const sum = (of: string, from = "") =>
      rows
        .filter(({ is_last, dimension, value }) => is_last === isLast && dimension === of && value >= from)
        .reduce((all, { events }) => all + Number(events), 0);
    return { requests: sum("total"), errors: sum("status", "400"), securityEvents: sum("security") };
  };
  return { last: week(true), before: week(false) };
}
