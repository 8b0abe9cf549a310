import { memo } from "react";
import { UptimeBars } from "@/components/charts/uptime-bars";
import { SiteSymbol } from "@/components/sites/site-link";
import { RowLink } from "@/components/table/row-link";
import { SelectData } from "@/components/table/select-cells";
import { Data, Row, TwoLines } from "@/components/table/table";
import { TagList } from "@/components/table/tag-list";
import { Ago } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { ListedMonitor } from "@/components/uptime/list/read-monitors";
import { msWords, percentWords, statusTone } from "@/components/uptime/words";
import { hostOfTarget } from "@/lib/sites/host-of-target";
import { monitorStatusLabels } from "@/lib/uptime/labels";
import { uptimePercent } from "@/lib/uptime/window";

/** A monitor in a table. It renders only if a property changes: scrolling would otherwise render each row on the screen. */
export const MonitorRow = memo(function MonitorRow({
  monitor,
  selectable,
  columns,
  rowIndex,
}: {
  monitor: ListedMonitor;
  /** With a box, within `Selectable`. */
  selectable: boolean;
  /** The columns to show besides the name and the state, by id. */
  columns: ReadonlySet<string>;
  /** Its `aria-rowindex` in a table of which not all rows exist. */
  rowIndex?: number;
}) {
  const { id, name, type, target, status, last_check, verify_tls, days } = monitor;
  const host = hostOfTarget(monitor);
  const checks = days.reduce((sum, day) => sum + day.checks, 0);
  const failures = days.reduce((sum, day) => sum + day.failures, 0);
  return (
    <Row aria-rowindex={rowIndex}>
      {selectable && <SelectData id={id} name={name} />}
      <TwoLines>
        <RowLink href={`/uptime/${id}`}>{name}</RowLink>
        {host !== null && <SiteSymbol host={host} />}
        {!verify_tls && (
          <span className="ml-2 max-sm:hidden">
            <Badge tone="warn">Not verified</Badge>
          </span>
        )}
        <span className={cx("font-mono text-second text-sm max-sm:hidden", host === null ? "ml-2.5" : "ml-1.5")}>
          {type === "heartbeat" ? "heartbeat" : target}
        </span>
      </TwoLines>
      <Data>
        <Status tone={statusTone[status]}>{monitorStatusLabels[status]}</Status>
      </Data>
      {columns.has("days") && (
        <Data className="max-[22.5rem]:hidden">
          <UptimeBars days={days} />
        </Data>
      )}
      {columns.has("uptime") && (
        <Data numeric className="max-lg:pr-4!">
          {percentWords(uptimePercent(checks, failures))}
        </Data>
      )}
      {columns.has("response") && (
        <Data numeric className="max-lg:hidden">
          {last_check?.ok && type !== "heartbeat" ? msWords(last_check.total_ms) : "—"}
        </Data>
      )}
      {columns.has("tags") && (
        <Data className="text-second max-xl:hidden">
          <TagList tags={monitor.tags} />
        </Data>
      )}
      {columns.has("checked") && (
        <Data className="text-second max-xl:hidden">{last_check && <Ago value={last_check.checked_at} />}</Data>
      )}
    </Row>
  );
});
