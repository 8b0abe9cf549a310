import type { Metadata } from "next";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Badge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { plural } from "@/components/ui/time-format";
import { AddMaintenance } from "@/components/uptime/add-maintenance";
import { EndMaintenance } from "@/components/uptime/end-maintenance";
import { readMonitors } from "@/components/uptime/read-monitors";
import { requirePrincipal } from "@/lib/auth/session";
import { listMaintenanceWindows } from "@/lib/uptime/list-maintenance-windows";

export const metadata: Metadata = { title: "Maintenance" };

const repeats = { none: "once", daily: "every day", weekly: "every week" };

export default async function MaintenancePage() {
  const principal = await requirePrincipal();
  const [{ items }, { monitors }] = await Promise.all([
    listMaintenanceWindows(principal, { limit: 200, cursor: undefined }),
    readMonitors(principal),
  ]);
  const reason = readOnlyReason(principal.permission);
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const whose = (ids: readonly string[]) =>
    ids.length === 0
      ? "all monitors"
      : ids.length <= 2
        ? ids.map((id) => names.get(id) ?? id).join(", ")
        : plural(ids.length, "monitor");
  return (
    <>
      <PageHeader
        back={{ href: "/uptime", label: "Uptime" }}
        title="Maintenance"
        actions={<AddMaintenance monitors={monitors.map(({ id, name }) => ({ id, name }))} reason={reason} />}
      >
        Failures in an announced window open no incident and count neither way.
      </PageHeader>
      {items.length === 0 ? (
        <EmptyState title="Nothing is announced">
          Announce a window before work that makes a monitor fail, and its uptime stays as it is.
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
                <span className="sr-only">Remove</span>
              </Head>
            </>
          }
        >
          {items.map((window) => (
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
    </>
  );
}
