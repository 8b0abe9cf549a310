import { UptimeBars } from "@/components/charts/uptime-bars";
import { RowLink } from "@/components/table/row-link";
import { SelectData, SelectHead } from "@/components/table/select-cells";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import { msWords, percentWords, statusTone } from "@/components/uptime/words";
import type { UptimeDay } from "@/lib/uptime/checks/days";
import type { Monitor } from "@/lib/uptime/contract";
import { monitorStatusLabels } from "@/lib/uptime/labels";
import { uptimePercent } from "@/lib/uptime/window";

/** Monitors, one per row, in the given order. */
export function MonitorsTable({
  monitors,
  days,
  selectable = false,
}: {
  monitors: Monitor[];
  days: Map<string, UptimeDay[]>;
  /** With a box per row, within `SelectMonitors`. */
  selectable?: boolean;
}) {
  return (
    <Table
      label="Monitors"
      head={
        <>
          {selectable && <SelectHead noun="monitor" />}
          <Head>Monitor</Head>
          <Head className="w-36 max-sm:w-22">State</Head>
          <Head className="w-44 max-sm:w-28">30 days</Head>
          <Head numeric className="w-24 max-sm:w-22 max-sm:pr-4!">
            Uptime
          </Head>
          <Head numeric className="w-24 max-md:pr-4! max-sm:hidden">
            Response
          </Head>
          <Head className="w-36 max-lg:hidden">Checked</Head>
        </>
      }
    >
      {monitors.map((monitor) => (
        <MonitorRow key={monitor.id} monitor={monitor} days={days.get(monitor.id) ?? []} selectable={selectable} />
      ))}
    </Table>
  );
}

function MonitorRow({ monitor, days, selectable }: { monitor: Monitor; days: UptimeDay[]; selectable: boolean }) {
  const { id, name, target, status, last_check } = monitor;
  const checks = days.reduce((sum, day) => sum + day.checks, 0);
  const failures = days.reduce((sum, day) => sum + day.failures, 0);
  return (
    <Row>
      {selectable && <SelectData id={id} name={name} />}
      <Data>
        <RowLink href={`/uptime/${id}`}>{name}</RowLink>
        <span className="ml-2.5 font-mono text-second text-sm max-sm:hidden">{target}</span>
      </Data>
      <Data>
        <Status tone={statusTone[status]}>{monitorStatusLabels[status]}</Status>
      </Data>
      <Data>
        <UptimeBars days={days} />
      </Data>
      <Data numeric className="max-sm:pr-4!">
        {percentWords(uptimePercent(checks, failures))}
      </Data>
      <Data numeric className="max-md:pr-4! max-sm:hidden">
        {last_check?.ok ? msWords(last_check.total_ms) : "—"}
      </Data>
      <Data className="text-second max-lg:hidden">{last_check && <Ago value={last_check.checked_at} />}</Data>
    </Row>
  );
}
