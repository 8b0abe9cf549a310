import type { Metadata } from "next";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { Figures } from "@/components/analytics/figures";
import { longRanges, readLongRange } from "@/components/analytics/long-range";
import { Part } from "@/components/analytics/part";
import { endpointName } from "@/components/certificates/inventory/names";
import { Bars } from "@/components/charts/bars";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptySection } from "@/components/states/empty-section";
import { RangeLinks } from "@/components/statistics/range-links";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { dayName } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import { getAnalyticsRenewals } from "@/lib/analytics/renewals";
import { requirePrincipal } from "@/lib/auth/session";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Renewals" };

function percentOf(share: number | null): string {
  return share === null ? "—" : `${Math.round(share * 100)}%`;
}

export default async function RenewalsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const range = readLongRange(await single(searchParams));
  const { renewals, share_left, after_expiry, series, latest } = await getAnalyticsRenewals(principal, range);
  return (
    <AnalyticsFrame
      here="/analytics/renewals"
      actions={<RangeLinks path="/analytics/renewals" choices={longRanges} chosen={range.preset} />}
    >
      <Figures
        figures={[
          { name: "Renewals", value: renewals },
          { name: "Lifetime left, median", value: percentOf(share_left.p50) },
          { name: "Lifetime left, 10th percentile", value: percentOf(share_left.p10) },
          { name: "Renewed after expiry", value: after_expiry, tone: "bad" },
        ]}
      />
      {renewals === 0 ? (
        <EmptySection>
          No renewals in this range. A renewal is counted when an endpoint serves a certificate that expires later than
          the one before.
        </EmptySection>
      ) : (
        <>
          <Part
            title="By day"
            says="How often an endpoint was seen with a certificate that expires later. Days are in UTC."
          >
            <Bars
              label="Renewals by day"
              of="renewal"
              by="Day"
              bars={series.map(({ start, renewals: value, median_share_left }) => ({
                name: dayName(start),
                value,
                ...(median_share_left !== null && {
                  more: `median ${percentOf(median_share_left)} of the lifetime left`,
                }),
              }))}
            />
          </Part>
          <Part title="Latest" flush>
            <Table
              label="Latest renewals"
              head={
                <>
                  <Head>Endpoint</Head>
                  <Head className="w-44 max-sm:hidden">Time</Head>
                  <Head numeric className="w-28">
                    Lifetime left
                  </Head>
                  <Head numeric className="w-32">
                    Before expiry
                  </Head>
                </>
              }
            >
              {latest.map(({ at, endpoint, share_left: share, days_left }) => (
                <Row key={`${endpoint.id} ${at}`}>
                  <Data className="font-mono text-sm">
                    <RowLink href={`/certificates/endpoints/${endpoint.id}`}>{endpointName(endpoint)}</RowLink>
                  </Data>
                  <Data className="text-second max-sm:hidden">
                    <Time value={at} />
                  </Data>
                  <Data numeric className={cx(share <= 0 && "text-bad")}>
                    {percentOf(share)}
                  </Data>
                  <Data numeric className={cx(days_left < 0 && "text-bad")}>
                    {days_left < 0
                      ? `${plural(Math.ceil(-days_left), "day")} late`
                      : plural(Math.floor(days_left), "day")}
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
