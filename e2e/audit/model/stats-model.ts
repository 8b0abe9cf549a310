import { fits, isSecurity, type Query } from "@/e2e/audit/model/model";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditStats, Interval } from "@/lib/audit-logs/count/stats-contract";
import { idTime } from "@/lib/ids";

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

interface Range {
  from: number;
  to: number;
  interval: Interval;
}

/** The result of a count over the list, for all figures except response times. */
export type Counted = Pick<AuditStats, "totals" | "series" | Extract<keyof AuditStats, `by_${string}`>>;

/** The matching events of a range. */
export function within(rows: readonly AuditRow[], query: Query, { from, to }: Range): AuditRow[] {
  return rows.filter((row) => idTime(row.id) >= from && idTime(row.id) < to && fits(query, row));
}

/** Counts event by event; `rows` are those of the range. */
export function count(rows: readonly AuditRow[], { from, to, interval }: Range): Counted {
  const having = (some: readonly AuditRow[], is: (status: number) => boolean) =>
    some.filter(({ status_code }) => status_code !== null && is(status_code)).length;
  const step = STEP_MS[interval];
  const starts: number[] = [];
  for (let start = from - (((from % step) + step) % step); start < to; start += step) starts.push(start);
  return {
    totals: {
      requests: rows.length,
      errors: having(rows, (status) => status >= 400),
      server_errors: having(rows, (status) => status >= 500),
      rate_limited: having(rows, (status) => status === 429),
      security_events: rows.filter(isSecurity).length,
      unique_api_keys: new Set(rows.flatMap((row) => row.api_key_id ?? [])).size,
      unique_ips: new Set(rows.flatMap((row) => row.ip_address ?? [])).size,
    },
    series: starts.map((start) => {
      const part = rows.filter(({ id }) => idTime(id) >= start && idTime(id) < start + step);
      const inClass = (digit: number) => having(part, (status) => Math.floor(status / 100) === digit);
      return {
        start: new Date(start).toISOString(),
        requests: part.length,
        status_2xx: inClass(2),
        status_3xx: inClass(3),
        status_4xx: inClass(4),
        status_5xx: inClass(5),
        security_events: part.filter(isSecurity).length,
      };
    }),
    by_status: top(rows, (row) => row.status_code ?? []),
    by_method: top(rows, (row) => row.method ?? []),
    by_route: top(rows, (row) => row.route ?? []),
    by_api_key: top(rows, (row) => row.api_key_id ?? []),
    by_ip: top(rows, (row) => row.ip_address ?? []),
    by_country: top(rows, (row) => row.country ?? []),
    by_error_code: top(rows, (row) => row.error_code ?? []),
    by_flag: top(rows, (row) => row.flags),
  };
}

type Value = string | number;

/** The ten most frequent values; equally frequent ones are ordered by their bytes. */
function top(rows: readonly AuditRow[], of: (row: AuditRow) => Value | readonly Value[]): AuditStats["by_status"] {
  const counts = new Map<string, number>();
  for (const value of rows.flatMap(of).map(String)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, requests]) => ({ value, requests }))
    .sort((a, b) => b.requests - a.requests || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))
    .slice(0, 10);
}

/** The exact nearest-rank percentile in milliseconds; null without values. */
export function nearestRank(rows: readonly AuditRow[], share: number): number | null {
  const times = rows.flatMap(({ response_time_us }) => response_time_us ?? []).sort((a, b) => a - b);
  const time = times[Math.ceil(times.length * share) - 1];
  return time === undefined ? null : time / 1000;
}
