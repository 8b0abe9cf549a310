import type { Metadata } from "next";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { AddMonitor } from "@/components/uptime/add-monitor";
import { IncidentLines } from "@/components/uptime/incident-lines";
import { MonitorFigures } from "@/components/uptime/monitor-figures";
import { MonitorsTable } from "@/components/uptime/monitors-table";
import { readMonitors } from "@/components/uptime/read-monitors";
import { requirePrincipal } from "@/lib/auth/session";
import { readUptimeDays } from "@/lib/uptime/days";
import { listIncidents } from "@/lib/uptime/list-incidents";

export const metadata: Metadata = { title: "Uptime" };

export default async function UptimePage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const { status } = await single(searchParams);
  const { monitors, isCut } = await readMonitors(principal);
  const shown = status === undefined ? monitors : monitors.filter((monitor) => monitor.status === status);
  const [days, { items: incidents }] = await Promise.all([
    readUptimeDays(
      principal,
      shown.map(({ id }) => id),
      30,
    ),
    listIncidents(principal, { limit: 5, cursor: undefined, monitor_id: undefined, open: undefined }),
  ]);
  const header = (
    <PageHeader
      title="Uptime"
      actions={
        <>
          {monitors.length > 0 && <LinkButton href="/uptime/maintenance">Maintenance</LinkButton>}
          <AddMonitor reason={readOnlyReason(principal.permission)} />
        </>
      }
    />
  );
  if (monitors.length === 0) {
    return (
      <>
        {header}
        <EmptyState title="Nothing is asked yet">
          Name a URL or a port, and Sealwatch asks it every minute: whether it answers, as it should, and how fast. When
          it does not, an incident tells since when and why.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      {header}
      <MonitorFigures monitors={monitors} chosen={status} />
      {shown.length > 0 ? (
        <MonitorsTable monitors={shown} days={days} />
      ) : (
        <EmptyState title="None in this state" action={<LinkButton href="/uptime">Show all</LinkButton>}>
          No monitor is in the state that this page was asked for.
        </EmptyState>
      )}
      {isCut && (
        <p className="px-4 pt-3 text-second sm:px-5">
          Only the {monitors.length.toLocaleString("en-GB")} monitors that were added last are shown. The API lists all
          of them.
        </p>
      )}
      {incidents.length > 0 && (
        <section className="pt-7">
          <div className="flex items-baseline justify-between gap-4 px-4 pb-2 sm:px-5">
            <h2 className="font-medium text-lg">Latest incidents</h2>
            <LinkButton href="/uptime/incidents">All incidents</LinkButton>
          </div>
          <IncidentLines incidents={incidents} named />
        </section>
      )}
    </>
  );
}
