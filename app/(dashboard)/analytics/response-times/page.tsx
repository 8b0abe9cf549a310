import type { Metadata } from "next";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { Figures } from "@/components/analytics/figures";
import { longRanges, readLongRange } from "@/components/analytics/long-range";
import { Part } from "@/components/analytics/part";
import { Lines } from "@/components/charts/lines";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptySection } from "@/components/states/empty-section";
import { RangeLinks } from "@/components/statistics/range-links";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { responseLines } from "@/components/uptime/response-lines";
import { msWords } from "@/components/uptime/words";
import { getAnalyticsResponseTimes } from "@/lib/analytics/response-times";
import { requirePrincipal } from "@/lib/auth/session";
import { formatCount } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Response times" };

export default async function ResponseTimesPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const range = readLongRange(await single(searchParams));
  const { p50, p95, p99, series, slowest } = await getAnalyticsResponseTimes(principal, range);
  return (
    <AnalyticsFrame
      here="/analytics/response-times"
      actions={<RangeLinks path="/analytics/response-times" choices={longRanges} chosen={range.preset} />}
    >
      <Figures
        figures={[
          { name: "p50", value: msWords(p50) },
          { name: "p95", value: msWords(p95) },
          { name: "p99", value: msWords(p99) },
        ]}
      />
      {p50 === null ? (
        <EmptySection>No measurements in this range.</EmptySection>
      ) : (
        <>
          <Part title="By day" says="Successful checks of all monitors, accurate to 1%. Days are in UTC.">
            <Lines
              label="Response times by day"
              by="day"
              lines={responseLines}
              points={series.map(({ start, ...values }) => ({ start, values }))}
            />
          </Part>
          <Part title="Slowest" flush>
            <Table
              label="Slowest monitors"
              head={
                <>
                  <Head>Monitor</Head>
                  <Head numeric className="w-28 max-sm:hidden">
                    Checks
                  </Head>
                  {["p50", "p95", "p99"].map((name) => (
                    <Head key={name} numeric className="w-24 max-sm:w-20">
                      {name}
                    </Head>
                  ))}
                </>
              }
            >
              {slowest.map(({ monitor, checks, ...times }) => (
                <Row key={monitor.id}>
                  <Data>
                    <RowLink href={`/uptime/${monitor.id}`}>{monitor.name}</RowLink>
                  </Data>
                  <Data numeric className="text-second max-sm:hidden">
                    {formatCount(checks)}
                  </Data>
                  {(["p50", "p95", "p99"] as const).map((name) => (
                    <Data key={name} numeric>
                      {msWords(times[name])}
                    </Data>
                  ))}
                </Row>
              ))}
            </Table>
          </Part>
        </>
      )}
    </AnalyticsFrame>
  );
}
