import type { Metadata } from "next";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { AddMaintenance } from "@/components/uptime/add-maintenance";
import { EndMaintenance } from "@/components/uptime/end-maintenance";
import { requirePrincipal } from "@/lib/auth/session";
import { plural } from "@/lib/text/counts";
import { listMaintenanceWindows as contract } from "@/lib/uptime/maintenance-windows/contract";
import { listMaintenanceWindows } from "@/lib/uptime/maintenance-windows/list-maintenance-windows";
import { listMonitors } from "@/lib/uptime/monitors/list-monitors";
import { readMonitorNames } from "@/lib/uptime/monitors/monitor-names";

export const metadata: Metadata = { title: "Maintenance" };

const repeats = { none: "once", daily: "every day", weekly: "every week" };

const PATH = "/uptime/maintenance";
/** For more monitors than this, only their number is shown. */
const MAX_NAMES = 2;

export default async function MaintenancePage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const [{ page, fault }, { items: monitors, nextCursor }] = await Promise.all([
    readList(contract.query, { limit: "100", ...params }, (query) => listMaintenanceWindows(principal, query)),
    listMonitors(principal, { limit: 200, cursor: undefined, sort: "newest", status: undefined, tag: undefined }),
  ]);
  const windows = page?.items ?? [];
  const named = windows.flatMap(({ monitor_ids: ids }) => (ids.length <= MAX_NAMES ? ids : []));
  const names = await readMonitorNames(principal, named);
  const reason = readOnlyReason(principal.permission);
  const whose = (ids: readonly string[]) =>
    ids.length === 0
      ? "all monitors"
      : ids.length <= MAX_NAMES
        ? ids.map((id) => names.get(id) ?? id).join(", ")
        : plural(ids.length, "monitor");
  return (
    <>
      <PageHeader
        back={{ href: "/uptime", label: "Uptime" }}
        title="Maintenance"
        actions={
          <AddMaintenance
            monitors={monitors.map(({ id, name }) => ({ id, name }))}
            isCut={nextCursor !== null}
            reason={reason}
          />
        }
      >
        During a maintenance window, checks do not count towards uptime and failures open no incident.
      </PageHeader>
      {fault !== null ? (
        <InvalidView path={PATH} words={fault} />
      ) : windows.length === 0 && params.cursor !== undefined ? (
        <EmptyPage />
      ) : windows.length === 0 ? (
        <EmptyState title="No maintenance scheduled">
          Schedule a window before work that interrupts a service, and its uptime is not affected.
        </EmptyState>
      ) : (
        <Table
          label="Maintenance windows"
          head={
            <>
              <Head>Window</Head>
              <Head className="w-44 max-sm:w-36">From</Head>
              <Head className="w-44 max-md:hidden">To</Head>
              <Head className="w-28 max-md:hidden">Repeats</Head>
              <Head className="w-56 max-lg:hidden">Monitors</Head>
              <Head className="w-28">
                <span className="sr-only">Actions</span>
              </Head>
            </>
          }
        >
          {windows.map((window) => (
            <Row key={window.id}>
              <Data>
                {window.name}
                {window.active && (
                  <span className="ml-2">
                    <Badge tone="seal">now</Badge>
                  </span>
                )}
              </Data>
              <Data className="text-second">
                <Time value={window.starts_at} />
              </Data>
              <Data className="text-second max-md:hidden">
                <Time value={window.ends_at} />
              </Data>
              <Data className="text-second max-md:hidden">{repeats[window.repeat]}</Data>
              <Data className="text-second max-lg:hidden">{whose(window.monitor_ids)}</Data>
              <Data numeric>
                <EndMaintenance id={window.id} name={window.name} reason={reason} />
              </Data>
            </Row>
          ))}
        </Table>
      )}
      {page !== null && <Pages path={PATH} params={params} next={page.nextCursor} />}
    </>
  );
}
