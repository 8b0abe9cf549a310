import type * as contract from "@/lib/analytics/contract";
import { COUNTS, type InUseRow, queryInUse, SHOWN, toCertificateInUse } from "@/lib/analytics/in-use";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";

interface Counts {
  certificates: number;
  endpoints: number;
}

/** Expiry dates of the certificates in use. The series starts with the current day, week or month. */
export async function getAnalyticsExpiry(
  { organizationId }: Principal,
  { interval, days }: Input<typeof contract.getAnalyticsExpiry>,
): Promise<Output<typeof contract.getAnalyticsExpiry>> {
  const now = Date.now();
  const starts = startsOf(interval, now, now + days * DAY_MS);
  const until = new Date(next(interval, starts.at(-1) ?? now));
  const [series, [around], soonest] = await Promise.all([
    queryInUse<Counts & { start: Date }>(
      organizationId,
      `SELECT date_trunc($2, not_after, 'UTC') AS start, ${COUNTS} FROM in_use
       WHERE not_after >= $3 AND not_after < $4 GROUP BY 1`,
      [interval, new Date(now), until],
    ),
    queryInUse<{ expired: Counts; later: Counts }>(
      organizationId,
      `SELECT jsonb_build_object('certificates', count(*) FILTER (WHERE not_after < $2),
           'endpoints', coalesce(sum(endpoints) FILTER (WHERE not_after < $2), 0)) AS expired,
         jsonb_build_object('certificates', count(*) FILTER (WHERE not_after >= $3),
           'endpoints', coalesce(sum(endpoints) FILTER (WHERE not_after >= $3), 0)) AS later
       FROM in_use`,
      [new Date(now), until],
    ),
    queryInUse<InUseRow>(
      organizationId,
      `SELECT ${SHOWN} FROM in_use WHERE not_after >= $2 ORDER BY not_after, id LIMIT 20`,
      [new Date(now)],
    ),
  ]);
  const byStart = new Map(series.map(({ start, ...counts }) => [start.getTime(), counts]));
  return {
    since: new Date(now).toISOString(),
    until: until.toISOString(),
    interval,
    series: starts.map((start) => ({
      start: new Date(start).toISOString(),
      ...(byStart.get(start) ?? { certificates: 0, endpoints: 0 }),
    })),
    expired: around?.expired ?? { certificates: 0, endpoints: 0 },
    later: around?.later ?? { certificates: 0, endpoints: 0 },
    next: soonest.map(toCertificateInUse),
  };
}

type Interval = "day" | "week" | "month";

/** The start of the interval that contains `time`, like PostgreSQL's date_trunc in UTC. */
function floor(interval: Interval, time: number): number {
  const day = Math.floor(time / DAY_MS) * DAY_MS;
  if (interval === "day") return day;
  const date = new Date(day);
  if (interval === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return day - ((date.getUTCDay() + 6) % 7) * DAY_MS;
}

function next(interval: Interval, start: number): number {
  if (interval !== "month") return start + (interval === "day" ? 1 : 7) * DAY_MS;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The starts of the intervals that overlap the range. */
export function startsOf(interval: Interval, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let start = floor(interval, from); start < to; start = next(interval, start)) starts.push(start);
  return starts;
}
