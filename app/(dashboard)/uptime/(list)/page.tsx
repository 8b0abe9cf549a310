import type { Metadata } from "next";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { StatusFigures } from "@/components/layout/status-figures";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { ChooseColumns } from "@/components/table/choose-columns";
import { columnsCookie } from "@/components/table/columns";
import { readColumns } from "@/components/table/read-columns";
import { withOrder } from "@/components/table/read-order";
import { sortCookie, sortingOf } from "@/components/table/sort";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { AddMonitor } from "@/components/uptime/add-monitor";
import { IncidentLines } from "@/components/uptime/incident-lines";
import { monitorColumns } from "@/components/uptime/list/monitor-columns";
import { MonitorHeads } from "@/components/uptime/list/monitor-heads";
import { MonitorsList } from "@/components/uptime/list/monitors-list";
import { readMonitors } from "@/components/uptime/list/read-monitors";
import { USUAL_SORT } from "@/components/uptime/list/read-more-monitors";
import { statusTone } from "@/components/uptime/words";
import { requirePrincipal } from "@/lib/auth/session";
import { listMonitors as contract } from "@/lib/uptime/contract";
import { listIncidents } from "@/lib/uptime/incidents/list-incidents";
import { monitorStatusLabels } from "@/lib/uptime/labels";
import { countMonitors } from "@/lib/uptime/monitors/count-monitors";
import { byUrgency } from "@/lib/uptime/monitors/urgency";

export const metadata: Metadata = { title: "Uptime" };

const PATH = "/uptime";

export default async function UptimePage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await withOrder(principal, "monitors", await single(searchParams), contract.query);
  const [counts, { page, fault }, { items: incidents }] = await Promise.all([
    countMonitors(principal),
    readList(contract.query, { limit: "100", sort: USUAL_SORT, ...params }, (query) => readMonitors(principal, query)),
    listIncidents(principal, { limit: 5, cursor: undefined, monitor_id: undefined, open: undefined }),
  ]);
  const columns = await readColumns(principal, "monitors", monitorColumns);
  const id = `${principal.organizationId} ${new URLSearchParams(params)}`;
  const reason = readOnlyReason(principal.permission);
  const header = (
    <PageHeader
      title="Uptime"
      actions={
        <>
          {counts.size > 0 && (
            <ChooseColumns cookie={columnsCookie("monitors", principal)} columns={monitorColumns} shown={columns} />
          )}
          {incidents.length > 0 && <LinkButton href="/uptime/incidents">Incidents</LinkButton>}
          {counts.size > 0 && <LinkButton href="/uptime/maintenance">Maintenance</LinkButton>}
          <AddMonitor reason={reason} />
        </>
      }
    />
  );
  const latest = incidents.length > 0 && (
    <section className="pt-7">
      <div className="flex items-baseline justify-between gap-4 px-4 pb-2 sm:px-5">
        <h2 className="font-medium text-lg">Latest incidents</h2>
        <LinkButton href="/uptime/incidents">All incidents</LinkButton>
      </div>
      <IncidentLines incidents={incidents} named />
    </section>
  );
  if (counts.size === 0) {
    return (
      <>
        {header}
        <EmptyState title="No monitors yet">
          Add a URL or a port, and Sealwatch checks every minute whether it responds as expected, and how fast. If it
          does not, an incident records when and why.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      {header}
      <StatusFigures
        path={PATH}
        noun="monitor"
        byStatus={counts}
        order={byUrgency}
        labels={monitorStatusLabels}
        tones={statusTone}
        params={params}
      />
      {fault !== null ? (
        <InvalidView path={PATH} words={fault} />
      ) : page.items.length > 0 ? (
        <MonitorsList
          key={id}
          id={id}
          head={
            <MonitorHeads
              selectable={reason === null}
              sorting={sortingOf(PATH, params, USUAL_SORT, sortCookie("monitors", principal))}
              columns={columns}
            />
          }
          first={{ items: page.items, next: page.nextCursor }}
          params={params}
          mayAct={reason === null}
          columns={columns}
        >
          {latest}
        </MonitorsList>
      ) : params.cursor !== undefined ? (
        <EmptyPage />
      ) : (
        <EmptyState title="No matching monitors" action={<LinkButton href={PATH}>Clear filters</LinkButton>}>
          No monitor is in this state.
        </EmptyState>
      )}
      {!page?.items.length && latest}
      {page !== null && <Pages path={PATH} params={params} next={null} />}
    </>
  );
}
