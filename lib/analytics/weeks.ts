import { dailyFigures } from "@/lib/analytics/daily-figures";
import { readWeeks, type WeekOfEvents } from "@/lib/audit-logs/count/weeks";
import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { idAt } from "@/lib/ids";
import { lastDaysStart, uptimePercent } from "@/lib/uptime/window";

const WEEK_DAYS = 7;

export interface Week extends WeekOfEvents {
  /** Null without checks. */
  uptimePercent: number | null;
  /** Alerts that were opened. */
  alerts: number;
}

/** The last week and the week before: events by hour, uptime and alerts by UTC day, including today. Throws 503. */
export async function compareWeeks(principal: Principal): Promise<{ last: Week; before: Week }> {
  const { organizationId } = principal;
  const now = Date.now();
  const [begin, middle] = [lastDaysStart(2 * WEEK_DAYS, now), lastDaysStart(WEEK_DAYS, now)];
  const [events, uptime, alerts] = await Promise.all([
    readWeeks(principal),
    pool("report").query<{ is_last: boolean; checks: number; failures: number }>(
      `SELECT d.start >= $3 AS is_last, sum(d.checks)::float AS checks, sum(d.failures)::float AS failures
       FROM ${dailyFigures("uptime_rollups", false)} GROUP BY 1`,
      [organizationId, new Date(begin), new Date(middle)],
    ),
    pool("report").query<{ last: number; before: number }>(
      `SELECT count(*) FILTER (WHERE id >= $3)::integer AS last, count(*) FILTER (WHERE id < $3)::integer AS before
       FROM alerts WHERE organization_id = $1 AND id >= $2`,
      [organizationId, idAt(begin), idAt(middle)],
    ),
  ]);
  const week = (name: "last" | "before"): Week => {
    const checked = uptime.rows.find(({ is_last }) => is_last === (name === "last"));
    return {
      ...events[name],
      uptimePercent: uptimePercent(checked?.checks ?? 0, checked?.failures ?? 0),
      alerts: alerts.rows[0]?.[name] ?? 0,
    };
  };
  return { last: week("last"), before: week("before") };
}
