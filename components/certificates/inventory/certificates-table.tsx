import Link from "next/link";
import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { endpointName, shortName } from "@/components/certificates/inventory/names";
import { RowLink } from "@/components/table/row-link";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import type { Certificate } from "@/lib/certificates/contract";

/** Certificates, one per row, in the given order, with the endpoints that serve each. */
export function CertificatesTable({
  certificates,
  sorting,
  columns,
  now,
}: {
  certificates: Certificate[];
  sorting: Sorting;
  /** The columns to show besides the name, by id. */
  columns: ReadonlySet<string>;
  now: number;
}) {
  const has = (column: string) => columns.has(column);
  return (
    <Table
      label="Certificates"
      head={
        <>
          <SortHead sorting={sorting} by="name">
            Certificate
          </SortHead>
          {has("issuer") && <Head className="w-56 max-lg:hidden">Issuer</Head>}
          {has("key") && <Head className="w-28 max-xl:hidden">Key</Head>}
          {has("serial") && <Head className="w-48 max-xl:hidden">Serial number</Head>}
          {has("seen") && (
            <SortHead sorting={sorting} by="discovered" className="w-32 max-xl:hidden">
              First seen
            </SortHead>
          )}
          {has("left") && (
            <Head numeric className="w-44 max-sm:w-28">
              Time left
            </Head>
          )}
          {has("expires") && (
            <SortHead sorting={sorting} by="expiry" className="w-32 max-md:hidden">
              Expires
            </SortHead>
          )}
          {has("served") && <Head className="w-56 max-lg:w-44 max-sm:hidden">Served by</Head>}
        </>
      }
    >
      {certificates.map((certificate) => {
        const { id, subject, common_name, sans, issuer, key_type, key_bits, serial_number, first_seen_at, not_after } =
          certificate;
        return (
          <Row key={id}>
            <Data>
              <RowLink href={`/certificates/${id}`} title={[subject, ...sans.slice(0, 20)].join("\n")}>
                {common_name || sans[0] || shortName(subject) || "Unnamed"}
              </RowLink>
              {sans.length > 1 && <span className="ml-1.5 text-second">+{sans.length - 1}</span>}
            </Data>
            {has("issuer") && (
              <Data className="text-second max-lg:hidden">
                <span title={issuer}>{shortName(issuer)}</span>
              </Data>
            )}
            {has("key") && (
              <Data className="text-second max-xl:hidden">
                {key_type.toUpperCase()} {key_bits}
              </Data>
            )}
            {has("serial") && (
              <Data className="font-mono text-second text-sm max-xl:hidden">
                <span title={serial_number}>{serial_number}</span>
              </Data>
            )}
            {has("seen") && (
              <Data className="text-second max-xl:hidden">
                <Time value={first_seen_at} style="day" />
              </Data>
            )}
            {has("left") && (
              <Data numeric>
                <LifeBar validity={certificate} now={now} />
              </Data>
            )}
            {has("expires") && (
              <Data className="text-second max-md:hidden">
                <Time value={not_after} style="day" />
              </Data>
            )}
            {has("served") && (
              <Data className="max-sm:hidden">
                <Served certificate={certificate} />
              </Data>
            )}
          </Row>
        );
      })}
    </Table>
  );
}

function Served({ certificate: { endpoints, endpoint_count } }: { certificate: Certificate }) {
  const [first] = endpoints;
  if (!first) return <span className="text-second">no endpoint</span>;
  return (
    <>
      <Link
        prefetch={false}
        href={`/certificates/endpoints/${first.id}`}
        className="font-mono text-sm hover:underline"
        title={first.sni ? `SNI ${first.sni}` : undefined}
      >
        {endpointName(first)}
      </Link>
      {endpoint_count > 1 && <span className="ml-1.5 text-second">+{endpoint_count - 1}</span>}
    </>
  );
}
