import { fixedAlertColumns } from "@/components/alerts/alert-columns";
import { AlertHeads, AlertRow } from "@/components/alerts/list/alert-row";
import { Table } from "@/components/table/table";
import type { Alert } from "@/lib/alerts/contract";

/** A few alerts, one per row, in the given order. */
export function AlertsTable({
  label,
  alerts,
  areOver = false,
  columns = fixedAlertColumns,
}: {
  label: string;
  alerts: readonly Alert[];
  /** Whether all are resolved. */
  areOver?: boolean;
  /** The columns to show besides severity and subject, by id. */
  columns?: ReadonlySet<string>;
}) {
  return (
    <Table label={label} head={<AlertHeads areOver={areOver} columns={columns} />}>
      {alerts.map((alert) => (
        <AlertRow key={alert.id} alert={alert} selectable={false} areOver={areOver} columns={columns} />
      ))}
    </Table>
  );
}
