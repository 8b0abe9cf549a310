import { knownKeys } from "@/components/audit-logs/filters/known-values";
import { StackedBars } from "@/components/charts/stacked-bars";
import { EmptyState } from "@/components/states/empty-state";
import { Breakdown, type Counted } from "@/components/statistics/breakdown";
import { countryName } from "@/components/statistics/countries";
import { entriesHref, type Range } from "@/components/statistics/range";
import { seriesBars } from "@/components/statistics/series-bars";
import { Totals } from "@/components/statistics/totals";
import { exceptReads } from "@/lib/audit-logs/caller";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import type { Flag } from "@/lib/audit-logs/flags";
import type { Principal } from "@/lib/http/principal";
import { plural } from "@/lib/text/counts";

/** All statistics of a range, from one snapshot. */
export async function StatisticsFigures({ principal, range }: { principal: Principal; range: Range }) {
  const { since, until } = range;
  const stats = await getAuditStats(principal, { interval: undefined, since, until, via: exceptReads });
  if (stats.totals.requests === 0) {
    return (
      <EmptyState title="No entries in this range">
        Statistics appear after the first request to the API or the first sign-in.
      </EmptyState>
    );
  }
  const keys = await knownKeys(principal, stats.by_api_key.map(({ value }) => value).join(" "));
  const names = new Map(keys.map(({ value, label }) => [value, label]));
  const total = stats.totals.requests;
  const table = (title: string, of: string, filter: string, counts: readonly Counted[], mono = true) => (
    <Breakdown
      title={title}
      of={of}
      counts={counts}
      total={total}
      mono={mono}
      hrefOf={(value) => entriesHref(stats, { [filter]: value })}
    />
  );
  return (
    <>
      <Totals stats={stats} />
      <StackedBars bars={seriesBars(stats)} />
      <div className="grid gap-x-10 gap-y-8 px-4 pt-8 sm:px-5 md:grid-cols-2 xl:grid-cols-3">
        {table(
          "API keys",
          "Key",
          "api_key_id",
          stats.by_api_key.map(({ value, requests }) => ({ value, label: names.get(value) ?? value, requests })),
          false,
        )}
        {table(
          "Routes",
          "Route",
          "route",
          stats.by_route.map(({ value, requests }) => ({ value, label: value.replace(/^\/api\/v1/, ""), requests })),
        )}
        {table("Addresses", "Address", "ip", stats.by_ip)}
        {table(
          "Countries",
          "Country",
          "country",
          stats.by_country.map(({ value, requests }) => ({ value, label: countryName(value), requests })),
          false,
        )}
        {table("Error codes", "Error code", "error_code", stats.by_error_code)}
        {table(
          "Flags",
          "Flag",
          "flag",
          stats.by_flag.map(({ value, requests }) => ({ value, label: flagLabels[value as Flag], requests })),
          false,
        )}
        {table("Statuses", "Status", "status", stats.by_status)}
        {table("Methods", "Method", "method", stats.by_method)}
      </div>
      <p className="px-4 pt-6 text-second text-sm sm:px-5">
        Counted from the audit log without reads by people in the dashboard. The log is kept for{" "}
        {plural(stats.retention_days, "day")}. Each table lists at most ten values. Percentiles are accurate to 1%.
      </p>
    </>
  );
}
