import type { AuditStats } from "@/lib/audit-logs/stats-contract";

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** A bar of the histogram. */
export interface Bin {
  /** Unix milliseconds, half-open. */
  from: number;
  to: number;
  requests: number;
  /** 4xx and 5xx. */
  errors: number;
}

/** The series in at most `most` bars of whole intervals. */
export function bins({ series, interval }: Pick<AuditStats, "series" | "interval">, most: number): Bin[] {
  const size = Math.max(1, Math.ceil(series.length / most));
  const found: Bin[] = [];
  for (let at = 0; at < series.length; at += size) {
    const points = series.slice(at, at + size);
    const [first] = points;
    if (!first) break;
    const from = Date.parse(first.start);
    found.push({
      from,
      to: from + points.length * STEP_MS[interval],
      requests: points.reduce((sum, point) => sum + point.requests, 0),
      errors: points.reduce((sum, point) => sum + point.status_4xx + point.status_5xx, 0),
    });
  }
  return found;
}
