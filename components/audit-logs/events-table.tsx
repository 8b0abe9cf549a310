"use client";

import { Flags, filterOfWho, StatusCode, whatOf, whoOf } from "@/components/audit-logs/cells";
import { FilterValue } from "@/components/audit-logs/filter-value";
import { useLiveEvents } from "@/components/audit-logs/live-events";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time, ZoneName } from "@/components/ui/time";
import type { AuditEvent } from "@/lib/audit-logs/contract";

/** Events, one a row. With `stream`, the address of the API's stream, new ones come in on top. */
export function EventsTable({ label, events, stream }: { label: string; events: AuditEvent[]; stream: string | null }) {
  const { arrived, isCut } = useLiveEvents(stream);
  const known = new Set(arrived.map(({ id }) => id));
  const shown = [...arrived, ...events.filter(({ id }) => !known.has(id))];
  return (
    <>
      {isCut && (
        <p role="status" className="border-t bg-warn-wash px-4 py-1 text-sm text-warn sm:px-5">
          The live connection is interrupted and is being taken up again; nothing will be missing.
        </p>
      )}
      <Table
        label={label}
        head={
          <>
            <Head className="w-44 max-md:w-32">
              Time (<ZoneName />)
            </Head>
            <Head className="w-20 max-md:hidden">Method</Head>
            <Head>Path</Head>
            <Head className="w-16">Status</Head>
            <Head className="w-44 max-lg:hidden">Flags</Head>
            <Head className="w-36 max-lg:w-28 max-sm:hidden">Who</Head>
            <Head className="w-36 max-xl:hidden">Address</Head>
            <Head numeric className="w-20 max-md:hidden">
              ms
            </Head>
          </>
        }
      >
        {shown.map((event) => (
          <EventRow key={event.id} event={event} isNew={known.has(event.id)} />
        ))}
      </Table>
    </>
  );
}

function EventRow({ event, isNew }: { event: AuditEvent; isNew: boolean }) {
  const { request, response, security, client } = event;
  const { status_code } = response;
  const who = whoOf(event);
  return (
    <Row className={isNew ? "animate-arrive" : undefined}>
      <Data className="font-mono text-second text-sm">
        <RowLink href={`/audit-logs/${event.id}`}>
          <Time value={event.occurred_at} style="clock" />
        </RowLink>
      </Data>
      <Data className="font-mono text-second text-sm max-md:hidden">
        {request && (
          <FilterValue tabIndex={-1} name="method" value={request.method}>
            {request.method}
          </FilterValue>
        )}
      </Data>
      <Data className="font-mono text-sm max-lg:h-12">
        <span title={request?.path ?? undefined}>
          {request && <span className="mr-2 text-second md:hidden">{request.method}</span>}
          <span className={request ? undefined : "text-second"}>{whatOf(event)}</span>
        </span>
        {/* There is no room for a column of their own. */}
        <span className="block h-5 truncate font-sans text-second lg:hidden">
          <span className="sm:hidden">{who} </span>
          <Flags flags={security.flags} />
        </span>
      </Data>
      <Data>
        {status_code !== null && (
          <FilterValue tabIndex={-1} name="status" value={String(status_code)}>
            <StatusCode code={status_code} />
          </FilterValue>
        )}
      </Data>
      <Data className="max-lg:hidden">
        <Flags flags={security.flags} />
      </Data>
      <Data className="max-sm:hidden">
        <FilterValue tabIndex={-1} {...filterOfWho(event)} words={who}>
          {who}
        </FilterValue>
      </Data>
      <Data className="font-mono text-second text-sm max-xl:hidden">
        {client.ip_address && (
          <FilterValue tabIndex={-1} name="ip" value={client.ip_address}>
            {client.ip_address}
          </FilterValue>
        )}
      </Data>
      <Data numeric className="text-second max-md:hidden">
        {response.response_time_ms?.toFixed(1)}
      </Data>
    </Row>
  );
}
