import Link from "next/link";
import { entriesHref } from "@/components/statistics/range";
import { type Tone, toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";
import { formatCount } from "@/lib/text/counts";
import { percent } from "@/lib/text/percent";

/** The figures of the range; each links to the entries that it counts. */
export function Totals({ stats }: { stats: AuditStats }) {
  const { totals, response_time_ms: times } = stats;
  const { requests } = totals;
  const figures: { name: string; value: number; more?: string; tone?: Tone; filters: Record<string, string> }[] = [
    { name: "Entries", value: requests, filters: {} },
    {
      name: "Refused or failed",
      value: totals.errors,
      more: percent(totals.errors, requests),
      filters: { status: "4xx,5xx" },
    },
    {
      name: "Server errors",
      value: totals.server_errors,
      tone: "bad",
      filters: { status: "5xx" },
    },
    { name: "Rate limited", value: totals.rate_limited, tone: "warn", filters: { status: "429" } },
    { name: "Security events", value: totals.security_events, filters: { security_event: "true" } },
    { name: "Keys used", value: totals.unique_api_keys, filters: { auth_type: "api_key" } },
  ];
  const speeds = (["p50", "p95", "p99", "max"] as const).map((name) => ({ name, ms: times[name] }));
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-4 px-4 pt-1 pb-5 sm:px-5">
      <dl className="flex flex-wrap gap-x-8 gap-y-4 max-sm:grid max-sm:grid-cols-2">
        {figures.map(({ name, value, more, tone, filters }) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-second">{name}</dt>
            <dd className="whitespace-nowrap font-semibold text-xl tabular-nums tracking-tight">
              <Link
                prefetch={false}
                href={entriesHref(stats, filters)}
                className={cx("hover:underline", tone && value > 0 && toneText[tone])}
              >
                {formatCount(value)}
              </Link>
              {more && <span className="ml-1.5 font-normal text-base text-second">{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <dl className="flex gap-x-6 sm:border-l sm:pl-8">
        {speeds.map(({ name, ms }) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-second">{name}</dt>
            <dd className="whitespace-nowrap font-semibold text-xl tabular-nums tracking-tight">
              {ms === null ? (
                "—"
              ) : (
                <Link
                  prefetch={false}
                  href={entriesHref(stats, { min_response_time_ms: String(ms) })}
                  title="Show requests that took at least this long"
                  className="hover:underline"
                >
                  {ms < 10 ? ms.toFixed(1) : formatCount(Math.round(ms))}
                  <span className="ml-0.5 font-normal text-base text-second">ms</span>
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
