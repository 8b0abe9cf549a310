import type { Metadata } from "next";
import { Pages } from "@/components/layout/list-ends";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
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
      ) : cursor !== undefined ? (
        <EmptyPage />
      ) : (
        <EmptyState title="No incidents yet">
          An incident starts when a monitor reaches its failure threshold, and ends when it recovers.
        </EmptyState>
      )}
      <Pages path="/uptime/incidents" params={cursor === undefined ? {} : { cursor }} next={nextCursor} />
    </>
  );
}
