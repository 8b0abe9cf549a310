import { Table } from "@/components/table/table";
import { fixedMonitorColumns } from "@/components/uptime/list/monitor-columns";
import { MonitorHeads } from "@/components/uptime/list/monitor-heads";
import { MonitorRow } from "@/components/uptime/list/monitor-row";
import type { ListedMonitor } from "@/components/uptime/list/read-monitors";

/** A few monitors, one per row, in the given order. */
export function MonitorsTable({ monitors }: { monitors: readonly ListedMonitor[] }) {
  const columns = fixedMonitorColumns;
  return (
    <Table label="Monitors" head={<MonitorHeads selectable={false} columns={columns} />}>
      {monitors.map((monitor) => (
        <MonitorRow key={monitor.id} monitor={monitor} selectable={false} columns={columns} />
      ))}
    </Table>
  );
}
