import { fixedAlertColumns } from "@/components/alerts/alert-columns";
import { statusTone } from "@/components/alerts/words";
import { severityTone } from "@/components/certificates/findings/finding-tones";
import { RowLink } from "@/components/table/row-link";
import { SelectData, SelectHead } from "@/components/table/select-cells";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import type { Alert } from "@/lib/alerts/contract";
import { alertStatusLabels, causeLabel } from "@/lib/alerts/labels";
import { severityLabels } from "@/lib/certificates/finding-labels";

/** Alerts, one per row, in the given order. */
export function AlertsTable({
  label,
  alerts,
  selectable = false,
  sorting,
  hasUrgency = false,
  columns = fixedAlertColumns,
}: {
  label: string;
  alerts: readonly Alert[];
  /** With a box per row, within `SelectAlerts`. */
  selectable?: boolean;
  /** Lets people sort by the headers. */
  sorting?: Sorting;
  /** Whether the list can be sorted by urgency, too. */
  hasUrgency?: boolean;
  /** The columns to show besides severity and subject, by id. */
  columns?: ReadonlySet<string>;
}) {
  return (
    <Table
      label={label}
      head={
        <>
          {selectable && <SelectHead noun="alert" />}
          <SortHead sorting={hasUrgency ? sorting : undefined} by="urgency" className="w-24 max-sm:w-22">
            Severity
          </SortHead>
          <SortHead sorting={sorting} by="subject">
            Subject
          </SortHead>
          {columns.has("rule") && <Head className="w-52 max-lg:hidden">Rule</Head>}
          {columns.has("state") && <Head className="w-40 max-md:hidden">State</Head>}
          {columns.has("notified") && <Head className="w-36 max-lg:hidden">Last notified</Head>}
          {columns.has("opened") && (
            <SortHead sorting={sorting} by="newest" className="w-36 max-sm:w-30">
              Opened
            </SortHead>
          )}
        </>
      }
    >
      {alerts.map((alert) => (
        <AlertRow key={alert.id} alert={alert} selectable={selectable} columns={columns} />
      ))}
    </Table>
  );
}

function AlertRow({ alert, selectable, columns }: { alert: Alert; selectable: boolean; columns: ReadonlySet<string> }) {
  const { id, severity, subject, detail, rule, status, flapping, opened_at, causes, last_told_at } = alert;
  const isOver = status === "resolved";
  return (
    <Row>
      {selectable && <SelectData id={id} name={`${subject.name}: ${detail}`} />}
      <Data>
        {isOver ? (
          <span className="text-second">{severityLabels[severity]}</span>
        ) : (
          <Status tone={severityTone[severity]}>{severityLabels[severity]}</Status>
        )}
      </Data>
      <Data>
        <RowLink href={`/alerts/${id}`} className="font-medium" title={causes.map(causeLabel).join(", ")}>
          {subject.name}
        </RowLink>
        {/* Phones have room for the reason only below the name. */}
        <span className="ml-2.5 text-second max-sm:ml-0 max-sm:block max-sm:truncate">{detail}</span>
        {flapping && (
          <span className="ml-2">
            <Badge tone="warn">flapping</Badge>
          </span>
        )}
      </Data>
      {columns.has("rule") && <Data className="text-second max-lg:hidden">{rule.name}</Data>}
      {columns.has("state") && (
        <Data className="max-md:hidden">
          {status === "open" ? (
            alertStatusLabels.open
          ) : (
            <Status tone={statusTone[status]}>{alertStatusLabels[status]}</Status>
          )}
        </Data>
      )}
      {columns.has("notified") && (
        <Data className="text-second max-lg:hidden">{last_told_at && <Ago value={last_told_at} />}</Data>
      )}
      {columns.has("opened") && (
        <Data className="text-second">
          <Ago value={opened_at} />
        </Data>
      )}
    </Row>
  );
}
