import type { Metadata } from "next";
import Link from "next/link";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { type Figure, Figures } from "@/components/analytics/figures";
import { Part } from "@/components/analytics/part";
import { severityTone, statusTone } from "@/components/certificates/findings/finding-tones";
import { EmptySection } from "@/components/states/empty-section";
import { toneText } from "@/components/ui/badge";
import { percentWords } from "@/components/uptime/words";
import { getAnalyticsOverview } from "@/lib/analytics/overview";
import { requirePrincipal } from "@/lib/auth/session";
import { byUrgency } from "@/lib/certificates/endpoint-statuses";
import { bySeverity } from "@/lib/certificates/endpoints/certificate-endpoint";
import { endpointStatusLabels, findingLabels, severityLabels } from "@/lib/certificates/finding-labels";
import type { FindingCode, Severity } from "@/lib/certificates/findings";
import { formatCount } from "@/lib/text/counts";
import { DAY_MS } from "@/lib/time/units";

export const metadata: Metadata = { title: "Analytics" };

/** The URL of the certificates in use that expire within a number of days. */
function expiringWithin(days: number): string {
  const now = Date.now();
  const times = {
    expires_after: new Date(now).toISOString(),
    expires_before: new Date(now + days * DAY_MS).toISOString(),
  };
  return `/certificates/inventory?${new URLSearchParams({ ...times, unused: "false" })}`;
}

export default async function AnalyticsPage() {
  const principal = await requirePrincipal();
  const { certificates, endpoints, findings, monitors, incidents, uptime_percent_30d } =
    await getAnalyticsOverview(principal);
  const problems = findings
    .map(({ code, severity, ...rest }) => ({ ...rest, code: code as FindingCode, severity: severity as Severity }))
    .sort(bySeverity);
  const states: Figure[] = byUrgency
    .filter((status) => endpoints[status] > 0)
    .map((status) => ({
      name: endpointStatusLabels[status],
      value: endpoints[status],
      ...(status !== "ok" && { tone: statusTone[status] }),
      href: `/certificates?status=${status}`,
    }));
  return (
    <AnalyticsFrame here="/analytics">
      <Part title="Certificates in use" flush>
        <Figures
          figures={[
            { name: "Served now", value: certificates.in_use, href: "/certificates/inventory?unused=false" },
            {
              name: "Expired",
              value: certificates.expired,
              tone: "bad",
              href: `/certificates/inventory?unused=false&expires_before=${new Date().toISOString()}`,
            },
            { name: "Within 7 days", value: certificates.expiring_7d, tone: "bad", href: expiringWithin(7) },
            { name: "Within 30 days", value: certificates.expiring_30d, href: expiringWithin(30) },
            { name: "Within 90 days", value: certificates.expiring_90d, href: expiringWithin(90) },
          ]}
        />
      </Part>
      <Part title="Endpoints" flush>
        <Figures figures={[{ name: "Monitored", value: endpoints.total, href: "/certificates" }, ...states]} />
        {findings.length === 0 ? (
          <EmptySection>No problems found.</EmptySection>
        ) : (
          <ul aria-label="Open findings" className="border-t">
            {problems.map(({ code, severity, endpoints: count }) => (
              <li
                key={`${code} ${severity}`}
                className="grid h-7 grid-cols-[minmax(0,1fr)_5.5rem_4rem] items-center gap-3 border-b px-4 sm:px-5 pointer-coarse:h-10"
              >
                <Link prefetch={false} href={`/certificates?finding=${code}`} className="truncate hover:underline">
                  {findingLabels[code]}
                </Link>
                <span className={toneText[severityTone[severity]]}>{severityLabels[severity]}</span>
                <span className="text-right tabular-nums">{formatCount(count)}</span>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title="Monitors" flush>
        <Figures
          figures={[
            { name: "Total", value: monitors.total, href: "/uptime" },
            { name: "Down", value: monitors.down, tone: "bad", href: "/uptime?status=down" },
            { name: "Up", value: monitors.up, href: "/uptime?status=up" },
            { name: "Paused", value: monitors.paused, href: "/uptime?status=paused" },
            { name: "Uptime, 30 days", value: percentWords(uptime_percent_30d), href: "/analytics/uptime" },
            { name: "Open incidents", value: incidents.open, tone: "bad", href: "/uptime/incidents" },
            { name: "Incidents, 30 days", value: incidents.last_30d, href: "/uptime/incidents" },
          ]}
        />
      </Part>
    </AnalyticsFrame>
  );
}
