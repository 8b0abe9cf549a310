import type { Metadata } from "next";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { Figures } from "@/components/analytics/figures";
import { longRanges, readLongRange } from "@/components/analytics/long-range";
import { Part } from "@/components/analytics/part";
import { UptimeBars } from "@/components/charts/uptime-bars";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptySection } from "@/components/states/empty-section";
import { RangeLinks } from "@/components/statistics/range-links";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { formatSpan } from "@/components/time/time-format";
import { percentWords } from "@/components/uptime/words";
import { getAnalyticsUptime } from "@/lib/analytics/uptime";
import { requirePrincipal } from "@/lib/auth/session";
import { formatCount } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Uptime of all monitors" };

export default async function UptimeAnalyticsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const range = readLongRange(await single(searchParams));
  const stats = await getAnalyticsUptime(principal, range);
  return (
    <AnalyticsFrame
      here="/analytics/uptime"
      actions={<RangeLinks path="/analytics/uptime" choices={longRanges} chosen={range.preset} />}
    >
      <Figures
        figures={[
          { name: "Uptime", value: percentWords(stats.uptime_percent) },
          { name: "Checks", value: stats.checks },
          { name: "Failures", value: stats.failures, tone: "bad" },
          { name: "Incidents", value: stats.incidents, href: "/uptime/incidents" },
          { name: "Total downtime", value: formatSpan(stats.downtime_seconds * 1000) },
        ]}
      />
      {stats.checks === 0 ? (
        <EmptySection>No checks in this range.</EmptySection>
      ) : (
        <>
          <Part title="By day" says="Checks of all monitors outside of maintenance. Days are in UTC.">
            <UptimeBars days={stats.series.map((day) => ({ ...day, start: Date.parse(day.start) }))} tall />
          </Part>
          <Part title="Lowest uptime" flush>
            <Table
              label="Monitors with the lowest uptime"
              head={
                <>
                  <Head>Monitor</Head>
                  <Head numeric className="w-28">
                    Uptime
                  </Head>
                  <Head numeric className="w-28 max-sm:hidden">
                    Checks
                  </Head>
                  <Head numeric className="w-28 max-sm:hidden">
                    Failures
                  </Head>
                  <Head numeric className="w-32">
                    Downtime
                  </Head>
                </>
              }
            >
              {stats.worst.map(({ monitor, checks, failures, uptime_percent, downtime_seconds }) => (
                <Row key={monitor.id}>
                  <Data>
                    <RowLink href={`/uptime/${monitor.id}`}>{monitor.name}</RowLink>
                  </Data>
                  <Data numeric>{percentWords(uptime_percent)}</Data>
                  <Data numeric className="text-second max-sm:hidden">
                    {formatCount(checks)}
                  </Data>
                  <Data numeric className={`max-sm:hidden ${failures > 0 ? "text-bad" : "text-second"}`}>
                    {formatCount(failures)}
                  </Data>
                  <Data numeric className="text-second">
                    {downtime_seconds > 0 ? formatSpan(downtime_seconds * 1000) : "—"}
                  </Data>
                </Row>
              ))}
            </Table>
          </Part>
        </>
      )}
    </AnalyticsFrame>
  );
}
