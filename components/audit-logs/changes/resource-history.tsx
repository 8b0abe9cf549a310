import Link from "next/link";
import { ChangeSentence } from "@/components/audit-logs/changes/change-sentence";
import { type ChangeFilters, readChanges, resourceChanges } from "@/components/audit-logs/changes/read-changes";
import { callerName } from "@/components/audit-logs/events/cells";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { EmptySection } from "@/components/states/empty-section";
import { RowsSkeleton, Section } from "@/components/states/section";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { actions } from "@/lib/http/actions";
import type { Principal } from "@/lib/http/principal";

const MAX_ROWS = 10;

/** The newest changes to a resource, from the audit log. `type` is the resource's type there. */
export function ResourceHistory({ principal, type, id }: { principal: Principal; type: string; id: string }) {
  return <ChangeHistory principal={principal} filters={resourceChanges([type], [id])} hasUnlisted={hasUpserts(type)} />;
}

/** Whether requests change resources of this type without naming each of them in their entry. */
const hasUpserts = (type: string) => (actions as readonly string[]).includes(`${type}.bulk_upsert`);

interface Shown {
  principal: Principal;
  filters: ChangeFilters;
  /** Whether imports and bulk requests can make changes that are not listed. */
  hasUnlisted?: boolean;
}

/** The newest changes that match the filters, from the audit log. */
export function ChangeHistory(props: Shown) {
  return (
    <Section what="The history of changes" fallback={<RowsSkeleton what="history of changes" rows={2} />}>
      <History {...props} />
    </Section>
  );
}

async function History({ principal, filters, hasUnlisted = false }: Shown) {
  const { items, nextCursor } = await readChanges(principal, filters, MAX_ROWS);
  return (
    <section className="pt-8">
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">History</h2>
      {items.length === 0 ? (
        <EmptySection>
          {nextCursor === null ? "No changes in the retained audit log." : "No changes found yet; the search stopped."}
        </EmptySection>
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
      {hasUnlisted && (
        <p className="px-4 pt-2 text-second text-sm sm:px-5">
          Changes by imports, <code className="font-mono">apply</code> and bulk requests with items are not listed.
        </p>
      )}
      {nextCursor !== null && (
        <p className="px-4 pt-2 sm:px-5">
          <Link
            prefetch={false}
            href={`${EXPLORER}?${new URLSearchParams({ ...filters, range: "all" })}`}
            className="text-seal underline"
          >
            Show all in the audit log
          </Link>
        </p>
      )}
    </section>
  );
}
