import Link from "next/link";
import { StackedBars } from "@/components/charts/stacked-bars";
import { entriesHref } from "@/components/statistics/range";
import { seriesBars } from "@/components/statistics/series-bars";
import { formatMs } from "@/components/time/time-format";
import { exceptReads } from "@/lib/audit-logs/caller";
import { figuresOf } from "@/lib/audit-logs/count/stats";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import type { Principal } from "@/lib/http/principal";
import { counted, formatCount } from "@/lib/text/counts";
import { percent } from "@/lib/text/percent";
import { DAY_MS } from "@/lib/time/units";

/** Requests and errors of the last 24 hours, without reads by people in the dashboard. */
export async function DayPart({ principal }: { principal: Principal }) {
  const scope = await scopeOf(principal.organizationId);
  const stats = await figuresOf(scope, { interval: "hour", since: Date.now() - DAY_MS, via: exceptReads });
  const { totals, response_time_ms } = stats;
  const figures = [
    {
      words: counted(totals.requests, "entry", "entries"),
      value: formatCount(totals.requests),
      filters: {},
    },
    { words: "refused or failed", value: percent(totals.errors, totals.requests), filters: { status: "4xx,5xx" } },
    {
      words: counted(totals.security_events, "security event"),
      value: formatCount(totals.security_events),
      filters: { security_event: "true" },
    },
  ];
  return (
    <>
      <p className="flex flex-wrap gap-x-5 px-4 pb-2 text-second sm:px-5">
        {figures.map(({ words, value, filters }) => (
          <Link key={words} prefetch={false} href={entriesHref(stats, filters)} className="hover:underline">
            <strong className="font-semibold text-ink tabular-nums">{value}</strong> {words}
          </Link>
        ))}
        {response_time_ms.p95 !== null && (
          <span>
            p95 <strong className="font-semibold text-ink tabular-nums">{formatMs(response_time_ms.p95)}</strong>
          </span>
        )}
      </p>
      <StackedBars bars={seriesBars(stats)} />
    </>
  );
}
