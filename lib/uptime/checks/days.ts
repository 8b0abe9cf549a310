import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";
import { lastDaysStart } from "@/lib/uptime/window";

/** One UTC day of a monitor. */
export interface UptimeDay {
  /** Unix milliseconds. */
  start: number;
  checks: number;
  failures: number;
  maintenance: number;
}

/** The last `count` UTC days of each monitor including today, oldest first; days without checks have zeros. */
export async function readUptimeDays(
  { organizationId }: Principal,
  monitorIds: readonly string[],
  count: number,
): Promise<Map<string, UptimeDay[]>> {
  const first = lastDaysStart(count, Date.now());
  const { rows } = await pool("report").query<Omit<UptimeDay, "start"> & { monitor_id: string; start: Date }>(
    `SELECT monitor_id, start, checks, failures, maintenance FROM uptime_rollups
     WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[]) AND grain = 'day' AND start >= $3`,
    [organizationId, monitorIds, new Date(first)],
  );
  const known = new Map(rows.map(({ monitor_id, start, ...day }) => [`${monitor_id} ${start.getTime()}`, day]));
  return new Map(
    monitorIds.map((id) => [
      id,
      Array.from({ length: count }, (_, at) => {
        const start = first + at * DAY_MS;
        return { start, ...(known.get(`${id} ${start}`) ?? { checks: 0, failures: 0, maintenance: 0 }) };
      }),
    ]),
  );
}
