import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { shortName } from "@/components/certificates/inventory/names";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import type { AnalyticsExpiry } from "@/lib/analytics/contract";
import { formatCount, plural } from "@/lib/text/counts";
import { DAY_MS } from "@/lib/time/units";

/** Certificates in use, in the given order, with their lifetimes. */
export function InUseTable({
  label,
  certificates,
  now,
}: {
  label: string;
  certificates: AnalyticsExpiry["next"];
  now: number;
}) {
  return (
    <Table
      label={label}
      head={
        <>
          <Head>Certificate</Head>
          <Head className="w-64 max-lg:hidden">Issuer</Head>
          <Head numeric className="w-24">
            Lifetime
          </Head>
          <Head numeric className="w-44 max-sm:w-28 max-sm:pr-4">
            Time left
          </Head>
          <Head className="w-32 max-md:hidden">Expires</Head>
          <Head numeric className="w-24 max-md:hidden">
            Endpoints
          </Head>
        </>
      }
    >
      {certificates.map(({ id, common_name, issuer, not_before, not_after, endpoints }) => {
        const [begin, end] = [Date.parse(not_before), Date.parse(not_after)];
        // A started day counts: a certificate one second longer than a limit exceeds it.
        const lifetime = Math.ceil((end + 1000 - begin) / DAY_MS);
        const share = Math.min(1, Math.max(0, (end - now) / (end - begin)));
        const days_left = Math.floor((end - now) / DAY_MS);
        return (
          <Row key={id}>
            <Data>
              <RowLink href={`/certificates/${id}`}>{common_name ?? "Unnamed"}</RowLink>
            </Data>
            <Data className="text-second max-lg:hidden">
              <span title={issuer}>{shortName(issuer)}</span>
            </Data>
            <Data numeric>{plural(lifetime, "day")}</Data>
            <Data numeric className="max-sm:pr-4">
              <LifeBar validity={{ not_before, not_after, days_left, lifetime_left_share: share }} now={now} />
            </Data>
            <Data className="text-second max-md:hidden">
              <Time value={not_after} style="day" />
            </Data>
            <Data numeric className="max-md:hidden">
              {formatCount(endpoints)}
            </Data>
          </Row>
        );
      })}
    </Table>
  );
}
