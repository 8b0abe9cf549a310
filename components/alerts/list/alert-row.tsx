import { memo } from "react";
import { statusTone } from "@/components/alerts/alert-states";
import { severityTone } from "@/components/certificates/findings/finding-tones";
import { RowLink } from "@/components/table/row-link";
import { SelectData, SelectHead } from "@/components/table/select-cells";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Data, Head, Row } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import type { Alert } from "@/lib/alerts/contract";
import { alertStatusLabels, causeLabel } from "@/lib/alerts/labels";
import { severityLabels } from "@/lib/certificates/finding-labels";

/** The headers of a table of alerts. */
export function AlertHeads({
  selectable = false,
  sorting,
  hasUrgency = false,
  areOver = false,
  columns,
}: {
  /** With a box per row, within `Selectable`. */
  selectable?: boolean;
  /** Lets people sort by the headers. */
  sorting?: Sorting;
  /** Whether the list can also be sorted by urgency. */
  hasUrgency?: boolean;
  /** Whether all are resolved, so that the last column has when they were. */
  areOver?: boolean;
  /** The columns to show besides severity and subject, by id. */
  columns: ReadonlySet<string>;
}) {
  return (
    <>
      {selectable && <SelectHead noun="alert" />}
      <SortHead sorting={hasUrgency ? sorting : undefined} by="urgency" className="w-24 max-sm:w-22">
        Severity
      </SortHead>
      <SortHead sorting={sorting} by="subject">
        Subject
      </SortHead>
      {columns.has("rule") && <Head className="w-52 max-xl:hidden">Rule</Head>}
      {columns.has("state") && <Head className="w-40 max-md:hidden">State</Head>}
      {columns.has("notified") && <Head className="w-36 max-lg:hidden">Last notified</Head>}
      {columns.has("opened") && (
        <SortHead sorting={sorting} by="newest" className="w-36 max-sm:w-30">
          {areOver ? "Resolved" : "Opened"}
        </SortHead>
      )}
    </>
  );
}

/** An alert. It renders only if a property changes: scrolling would otherwise render each row on the screen. */
export const AlertRow = memo(function AlertRow({
  alert,
  selectable,
  areOver = false,
  columns,
  rowIndex,
}: {
  alert: Alert;
  selectable: boolean;
  areOver?: boolean;
  columns: ReadonlySet<string>;
  /** Its `aria-rowindex` in a table of which not all rows exist. */
  rowIndex?: number;
}) {
  const { id, severity, subject, detail, rule, status, flapping, opened_at, resolved_at, causes, last_told_at } = alert;
  const isOver = status === "resolved";
  return (
    <Row aria-rowindex={rowIndex}>
      {selectable && <SelectData id={id} name={`${subject.name}: ${detail}`} />}
      <Data>
        {isOver ? (
          <span className="text-second">{severityLabels[severity]}</span>
        ) : (
          <Status tone={severityTone[severity]}>{severityLabels[severity]}</Status>
        )}
      </Data>
      <Data className="max-sm:py-1.5">
        <RowLink href={`/alerts/${id}`} className="font-medium" title={causes.map(causeLabel).join(", ")}>
          {subject.name}
        </RowLink>
        {flapping && (
          <span className="ml-2">
            <Badge tone="warn">flapping</Badge>
          </span>
        )}
        {/* Phones have room for the reason only below the name. */}
        <span className="ml-2.5 text-second max-sm:ml-0 max-sm:block max-sm:truncate">{detail}</span>
      </Data>
      {columns.has("rule") && <Data className="text-second max-xl:hidden">{rule.name}</Data>}
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
          <Ago value={(areOver ? resolved_at : null) ?? opened_at} />
        </Data>
      )}
    </Row>
  );
});
