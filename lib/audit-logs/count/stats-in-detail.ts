import { statsOf } from "@/lib/audit-logs/count/stats";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";
import type { Filters } from "@/lib/audit-logs/filters";
import type { Scope } from "@/lib/audit-logs/scope";

const HOUR_MS = 3_600_000;
/** A range up to this long gets a point per minute, one up to MAX_BY_HOUR_MS a point per hour. */
const MAX_BY_MINUTE_MS = 25 * HOUR_MS;
const MAX_BY_HOUR_MS = 91 * 24 * HOUR_MS;
/** Rollups count hours. Minutes are counted from the events, up to this many. */
const MAX_BY_MINUTE = 100_000;

/** Stats with a series that is fine enough for the histogram. */
export async function statsInDetail(scope: Scope, filters: Filters): Promise<AuditStats> {
  const length = (filters.until ?? Date.now()) - (filters.since ?? 0);
  const isByHour = length > 6 * HOUR_MS && length <= MAX_BY_HOUR_MS;
  const stats = await statsOf(scope, { ...filters, interval: isByHour ? "hour" : undefined });
  const isCoarse = stats.interval === "hour" && length <= MAX_BY_MINUTE_MS && stats.totals.requests <= MAX_BY_MINUTE;
  return isCoarse ? statsOf(scope, { ...filters, interval: "minute" }) : stats;
}
