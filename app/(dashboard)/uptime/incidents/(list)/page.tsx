import type { Metadata } from "next";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { IncidentLines } from "@/components/uptime/incident-lines";
import { requirePrincipal } from "@/lib/auth/session";
import { listIncidents } from "@/lib/uptime/incidents/list-incidents";

export const metadata: Metadata = { title: "Incidents" };

export default async function IncidentsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const { cursor } = await single(searchParams);
  const { items, nextCursor } = await listIncidents(principal, {
    limit: 100,
    cursor,
    monitor_id: undefined,
    open: undefined,
  });
  return (
    <>
      <PageHeader back={{ href: "/uptime", label: "Uptime" }} title="Incidents">
        Periods in which a monitor was down, newest first.
      </PageHeader>
      {items.length > 0 ? (
        <IncidentLines incidents={items} named />
      ) : (
        <EmptyState title="No incidents yet">
          An incident starts when a monitor reaches its failure threshold, and ends when it recovers.
        </EmptyState>
      )}
      {nextCursor !== null && (
        <p className="px-4 pt-3 sm:px-5">
          <LinkButton href={`/uptime/incidents?cursor=${encodeURIComponent(nextCursor)}`}>Older incidents</LinkButton>
        </p>
      )}
    </>
  );
}
