"use client";

import Link from "next/link";
import { memo, type ReactNode, useCallback } from "react";
import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { endpointName, shortName } from "@/components/certificates/inventory/names";
import { readMoreCertificates } from "@/components/certificates/inventory/read-more";
import { HostName } from "@/components/sites/host-name";
import { InfiniteTable } from "@/components/table/infinite/infinite-table";
import type { ListPart } from "@/components/table/infinite/list-part";
import { type KeptLists, useInfiniteList } from "@/components/table/infinite/use-infinite-list";
import { RowLink } from "@/components/table/row-link";
import { Data, Row } from "@/components/table/table";
import { Time } from "@/components/time/time";
import type { Certificate } from "@/lib/certificates/contract";

const kept: KeptLists<Certificate, string> = new Map();

/** The certificates of the inventory, one per row, with the endpoints that serve each. */
export function CertificatesTable({
  id,
  head,
  first,
  view,
  columns,
  now,
}: {
  /** Identifies the list, with its organization; also the key of this component. */
  id: string;
  head: ReactNode;
  first: ListPart<Certificate, string>;
  /** Filters and order, as in the URL. */
  view: Record<string, string>;
  /** The columns to show besides the name, by id. */
  columns: ReadonlySet<string>;
  now: number;
}) {
  const read = useCallback((cursor: string) => readMoreCertificates(view, cursor), [view]);
  const rows = useInfiniteList({ id, kept, first, read });
  return (
    <InfiniteTable label="Certificates" head={head} rows={rows}>
      {(certificate, rowIndex) => (
        <CertificateRow
          key={certificate.id}
          certificate={certificate}
          columns={columns}
          now={now}
          rowIndex={rowIndex}
        />
      )}
    </InfiniteTable>
  );
}

/** Renders only if a property changes: scrolling would otherwise render each row on the screen. */
const CertificateRow = memo(function CertificateRow({
  certificate,
  columns,
  now,
  rowIndex,
}: {
  certificate: Certificate;
  columns: ReadonlySet<string>;
  now: number;
  rowIndex: number;
}) {
  const has = (column: string) => columns.has(column);
  const { id, subject, common_name, sans, issuer, key_type, key_bits, serial_number, first_seen_at, not_after } =
    certificate;
  return (
    <Row aria-rowindex={rowIndex}>
      <Data>
        <RowLink href={`/certificates/${id}`} title={[subject, ...sans.slice(0, 20)].join("\n")}>
          {common_name || sans[0] || shortName(subject) || "Unnamed"}
        </RowLink>
        {sans.length > 1 && <span className="ml-1.5 text-second">+{sans.length - 1}</span>}
      </Data>
      {has("issuer") && (
        <Data className="text-second max-xl:hidden">
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
        <Data numeric className="max-sm:pr-4">
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
});

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
        <HostName name={endpointName(first)} />
      </Link>
      {endpoint_count > 1 && <span className="ml-1.5 text-second">+{endpoint_count - 1}</span>}
    </>
  );
}
