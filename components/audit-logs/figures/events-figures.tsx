import { Figures } from "@/components/audit-logs/figures/figures";
import { Histogram } from "@/components/audit-logs/figures/histogram";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";
import type { Filters } from "@/lib/audit-logs/filters";
import type { Principal } from "@/lib/http/principal";

/** The histogram and the figures above the list, counted with the same filters. */
export async function EventsFigures({
  principal,
  filters,
  params,
}: {
  principal: Principal;
  filters: Filters;
  params: Record<string, string>;
}) {
  const stats = await statsInDetail(principal, filters);
  return (
    <>
      <Histogram stats={stats} />
      <Figures stats={stats} params={params} />
    </>
  );
}

const HOUR_MS = 3_600_000;
/** A range up to this long gets a point per minute, one up to MAX_BY_HOUR_MS a point per hour. */
const MAX_BY_MINUTE_MS = 25 * HOUR_MS;
const MAX_BY_HOUR_MS = 91 * 24 * HOUR_MS;
/** Rollups count hours. Minutes are counted from the events, up to this many. */
const MAX_BY_MINUTE = 100_000;

/** Stats with a series that is fine enough for the histogram. */
async function statsInDetail(principal: Principal, filters: Filters): Promise<AuditStats> {
  const length = (filters.until ?? Date.now()) - (filters.since ?? 0);
  const isByHour = length > 6 * HOUR_MS && length <= MAX_BY_HOUR_MS;
  const stats = await getAuditStats(principal, { ...filters, interval: isByHour ? "hour" : undefined });
  const isCoarse = stats.interval === "hour" && length <= MAX_BY_MINUTE_MS && stats.totals.requests <= MAX_BY_MINUTE;
  return isCoarse ? getAuditStats(principal, { ...filters, interval: "minute" }) : stats;
}
