import type { Metadata } from "next";
import { EntryAround, EntryRequest } from "@/components/audit-logs/entry/entry-parts";
import { EventDetails } from "@/components/audit-logs/entry/event-details";
import { EventFacts, FactsSkeleton } from "@/components/audit-logs/entry/event-facts";
import { EventNotes } from "@/components/audit-logs/entry/event-notes";
import { eventTitle } from "@/components/audit-logs/events/cells";
import { ExplorerViewProvider } from "@/components/audit-logs/views/explorer-view";
import { EXPLORER, rangeThatShows } from "@/components/audit-logs/views/view";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { RowsSkeleton, Section } from "@/components/states/section";
import { PageHeader } from "@/components/ui/page-header";
import { exceptReads } from "@/lib/audit-logs/caller";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { getAuditContext } from "@/lib/audit-logs/read/context";
import type { AuditContext } from "@/lib/audit-logs/read/context-contract";
import { getAuditLog } from "@/lib/audit-logs/read/get";
import { requirePrincipal } from "@/lib/auth/session";
import { config } from "@/lib/config";

type Props = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Audit log entry" };

// There is no loading.tsx: the page must look up the entry before it sends anything, so that a missing one is a 404.
export default async function AuditLogEntryPage({ params }: Props) {
  const principal = await requirePrincipal();
  const event = await orNotFound(params, (id) => getAuditLog(principal, { id }));
  const context = getAuditContext(principal, { id: event.id, via: exceptReads });
  // The sections that await it show its failure.
  context.catch(() => {});
  const range = rangeThatShows(Date.parse(event.occurred_at), Date.now());
  return (
    <ExplorerViewProvider from={{ range }} readOnly={readOnlyReason(principal.permission)}>
      <PageHeader
        back={{ href: `${EXPLORER}?${new URLSearchParams({ range, entry: event.id })}`, label: "Audit log" }}
        title={
          <span className="font-mono text-lg">
            <span className="font-normal text-second">{event.request?.method}</span>{" "}
            {event.request?.path ?? eventTitle(event)}
          </span>
        }
      />
      <div className="grid gap-x-8 gap-y-4 px-4 sm:px-5 lg:grid-cols-2">
        <div className="grid min-w-0 content-start gap-4">
          <EventNotes event={event} />
          <Section what="The context of the entry" fallback={<FactsSkeleton event={event} />}>
            <Facts event={event} context={context} />
          </Section>
          <div>
            <Section what="The context of the entry" fallback={<EventDetails event={event} />}>
              <Details event={event} context={context} />
            </Section>
          </div>
        </div>
        <div className="grid min-w-0 content-start gap-5">
          <EntryRequest event={event} baseUrl={config().PUBLIC_URL} />
          <Section what="The nearby entries" fallback={<RowsSkeleton what="nearby entries" rows={6} />}>
            <Around event={event} context={context} />
          </Section>
        </div>
      </div>
    </ExplorerViewProvider>
  );
}

async function Facts({ event, context }: { event: AuditEvent; context: Promise<AuditContext> }) {
  return <EventFacts event={event} facts={(await context).facts} />;
}

async function Details({ event, context }: { event: AuditEvent; context: Promise<AuditContext> }) {
  const facts = await context.then(
    (known) => known.facts,
    () => null,
  );
  return <EventDetails event={event} facts={facts} />;
}

async function Around({ event, context }: { event: AuditEvent; context: Promise<AuditContext> }) {
  return <EntryAround context={await context} current={event.id} />;
}
