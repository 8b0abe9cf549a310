import Link from "next/link";
import { ChangeSentence } from "@/components/audit-logs/changes/change-sentence";
import { changeActions, readChanges } from "@/components/audit-logs/changes/read-changes";
import { callerName } from "@/components/audit-logs/events/cells";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { RowsSkeleton, Section } from "@/components/states/section";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import type { Principal } from "@/lib/http/principal";

const MAX_ROWS = 10;

/** The newest changes to a resource, from the audit log. `type` is the resource's type there. */
export function ResourceHistory(props: { principal: Principal; type: string; id: string }) {
  return (
    <Section what="The history of changes" fallback={<RowsSkeleton what="history of changes" rows={2} />}>
      <History {...props} />
    </Section>
  );
}

async function History({ principal, type, id }: { principal: Principal; type: string; id: string }) {
  const { items, nextCursor } = await readChanges(principal, [type], [id], MAX_ROWS);
  return (
    <section className="pt-8">
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">History</h2>
      {items.length === 0 ? (
        <p className="border-y px-4 py-2.5 text-second sm:px-5">No changes in the retained audit log.</p>
      ) : (
        <Table
          label="History"
          head={
            <>
              <Head className="w-44 max-md:w-40">Time</Head>
              <Head className="w-40 max-md:hidden">Caller</Head>
              <Head>Change</Head>
            </>
          }
        >
          {items.map((event) => (
            <Row key={event.id}>
              <Data>
                <RowLink href={`${EXPLORER}/${event.id}`}>
                  <Time value={event.occurred_at} />
                </RowLink>
              </Data>
              <Data className="text-second max-md:hidden">
                <bdi>{callerName(event)}</bdi>
              </Data>
              <Data className="max-md:h-auto! max-md:whitespace-normal! max-md:py-1">
                {event.details?.changes ? <ChangeSentence event={event} /> : event.resource.action}
              </Data>
            </Row>
          ))}
        </Table>
      )}
      {nextCursor !== null && (
        <p className="px-4 pt-2 sm:px-5">
          <Link
            prefetch={false}
            href={`${EXPLORER}?${new URLSearchParams({ resource_id: id, action: changeActions([type]), range: "all" })}`}
            className="text-seal underline"
          >
            Show all in the audit log
          </Link>
        </p>
      )}
    </section>
  );
}
