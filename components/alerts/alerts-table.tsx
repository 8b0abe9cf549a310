import { statusTone } from "@/components/alerts/words";
import { severityTone } from "@/components/certificates/findings/finding-tones";
import { RowLink } from "@/components/table/row-link";
import { SelectData, SelectHead } from "@/components/table/select-cells";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import type { Alert } from "@/lib/alerts/contract";
import { alertStatusLabels, causeLabel } from "@/lib/alerts/labels";
import { severityLabels } from "@/lib/certificates/finding-labels";

/** Alerts, one per row, in the given order. */
export function AlertsTable({
  label,
  alerts,
  selectable = false,
}: {
  label: string;
  alerts: readonly Alert[];
  /** With a box per row, within `SelectAlerts`. */
  selectable?: boolean;
}) {
  return (
    <Table
      label={label}
      head={
        <>
          {selectable && <SelectHead noun="alert" />}
          <Head className="w-24 max-sm:w-22">Severity</Head>
          <Head>Subject</Head>
          <Head className="w-52 max-lg:hidden">Rule</Head>
          <Head className="w-40 max-md:hidden">State</Head>
          <Head className="w-36 max-sm:w-38">Opened</Head>
        </>
      }
    >
      {alerts.map((alert) => (
        <AlertRow key={alert.id} alert={alert} selectable={selectable} />
      ))}
    </Table>
  );
}

function AlertRow({ alert, selectable }: { alert: Alert; selectable: boolean }) {
  const { id, severity, subject, detail, rule, status, flapping, opened_at, resolved_at, causes } = alert;
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
      <Data className="text-second max-lg:hidden">{rule.name}</Data>
      <Data className="max-md:hidden">
        {status === "open" ? (
          alertStatusLabels.open
        ) : (
          <Status tone={statusTone[status]}>{alertStatusLabels[status]}</Status>
        )}
      </Data>
      <Data className="text-second">
        {isOver && resolved_at ? <Time value={opened_at} /> : <Ago value={opened_at} />}
      </Data>
    </Row>
  );
}
