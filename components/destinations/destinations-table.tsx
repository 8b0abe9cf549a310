import { DESTINATIONS, sentUpTo, stateTone, timeBehind, whyNot } from "@/components/destinations/words";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import type { Destination } from "@/lib/destinations/contract";
import { destinationStateLabels } from "@/lib/destinations/labels";
import { shapeOf } from "@/lib/destinations/shapes";
import { formatCount } from "@/lib/text/counts";

/** Destinations, one per row, in the given order. */
export function DestinationsTable({ destinations }: { destinations: readonly Destination[] }) {
  return (
    <Table
      label="Destinations"
      head={
        <>
          <Head className="w-64 max-sm:w-auto">Destination</Head>
          <Head className="w-52 max-lg:hidden">Kind</Head>
          <Head className="max-sm:w-36">State</Head>
          <Head numeric className="w-32 max-md:hidden">
            Sent up to
          </Head>
          <Head numeric className="w-32 max-sm:w-20">
            <span className="max-sm:hidden">Entries behind</span>
            <span className="sm:hidden">Behind</span>
          </Head>
          <Head numeric className="w-28 max-md:hidden">
            Time behind
          </Head>
          <Head className="w-36 max-xl:hidden">Last sent</Head>
        </>
      }
    >
      {destinations.map((destination) => (
        <DestinationRow key={destination.id} destination={destination} />
      ))}
    </Table>
  );
}

const none = <span className="text-third">—</span>;

function DestinationRow({ destination }: { destination: Destination }) {
  const { id, name, type, state, next, lag, last_sent_at } = destination;
  const why = whyNot(destination);
  return (
    <Row>
      <Data>
        <RowLink href={`${DESTINATIONS}/${id}`} className="font-medium">
          {name}
        </RowLink>
      </Data>
      <Data className="text-second max-lg:hidden">{shapeOf(type).label}</Data>
      <Data>
        <Status tone={stateTone[state]}>{destinationStateLabels[state]}</Status>
        {why !== null && (
          <span className="ml-2 text-second max-sm:hidden" title={why}>
            {why}
          </span>
        )}
      </Data>
      <Data numeric className="max-md:hidden">
        {sentUpTo(next) ?? none}
      </Data>
      <Data numeric>{lag === null ? <span className="text-third">unknown</span> : formatCount(lag.entries)}</Data>
      <Data numeric className="text-second max-md:hidden">
        {timeBehind(lag) ?? none}
      </Data>
      <Data className="text-second max-xl:hidden">{last_sent_at === null ? none : <Ago value={last_sent_at} />}</Data>
    </Row>
  );
}
