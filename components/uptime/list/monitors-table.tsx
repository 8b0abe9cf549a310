import { UptimeBars } from "@/components/charts/uptime-bars";
import { SiteSymbol } from "@/components/sites/site-link";
import { RowLink } from "@/components/table/row-link";
import { SelectData, SelectHead } from "@/components/table/select-cells";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Data, Head, Row, Table } from "@/components/table/table";
import { TagList } from "@/components/table/tag-list";
import { Ago } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { fixedMonitorColumns } from "@/components/uptime/monitor-columns";
import { msWords, percentWords, statusTone } from "@/components/uptime/words";
import { hostOfTarget } from "@/lib/sites/host-of-target";
import type { UptimeDay } from "@/lib/uptime/checks/days";
import type { Monitor } from "@/lib/uptime/contract";
import { monitorStatusLabels } from "@/lib/uptime/labels";
import { uptimePercent } from "@/lib/uptime/window";

/** Monitors, one per row, in the given order. */
export function MonitorsTable({
  monitors,
  days,
  selectable = false,
  sorting,
  columns = fixedMonitorColumns,
}: {
  monitors: Monitor[];
  days: Map<string, UptimeDay[]>;
  /** With a box per row, within `SelectMonitors`. */
  selectable?: boolean;
  /** Lets people sort by the headers. */
  sorting?: Sorting;
  /** The columns to show besides the name and the state, by id. */
  columns?: ReadonlySet<string>;
}) {
  return (
    <Table
      label="Monitors"
      head={
        <>
          {selectable && <SelectHead noun="monitor" />}
          <SortHead sorting={sorting} by="name">
            Monitor
          </SortHead>
          <SortHead sorting={sorting} by="urgency" className="w-36 max-lg:w-28 max-sm:w-18">
            State
          </SortHead>
          {columns.has("days") && <Head className="w-44 max-lg:w-36 max-sm:w-18">30 days</Head>}
          {columns.has("uptime") && (
            <Head numeric className="w-24 max-lg:pr-4! max-sm:w-20">
              Uptime
            </Head>
          )}
          {columns.has("response") && (
            <Head numeric className="w-24 max-lg:hidden">
              Response
            </Head>
          )}
          {columns.has("tags") && <Head className="w-36 max-xl:hidden">Tags</Head>}
          {columns.has("checked") && <Head className="w-36 max-lg:hidden">Checked</Head>}
        </>
      }
    >
      {monitors.map((monitor) => (
        <MonitorRow
          key={monitor.id}
          monitor={monitor}
          days={days.get(monitor.id) ?? []}
          selectable={selectable}
          columns={columns}
        />
      ))}
    </Table>
  );
}

function MonitorRow({
  monitor,
  days,
  selectable,
  columns,
}: {
  monitor: Monitor;
  days: UptimeDay[];
  selectable: boolean;
  columns: ReadonlySet<string>;
}) {
  const { id, name, type, target, status, last_check, verify_tls } = monitor;
  const host = hostOfTarget(monitor);
  const checks = days.reduce((sum, day) => sum + day.checks, 0);
  const failures = days.reduce((sum, day) => sum + day.failures, 0);
  return (
    <Row>
      {selectable && <SelectData id={id} name={name} />}
      <Data>
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
      </Data>
      <Data>
        <Status tone={statusTone[status]}>{monitorStatusLabels[status]}</Status>
      </Data>
      {columns.has("days") && (
        <Data>
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
        <Data className="text-second max-lg:hidden">{last_check && <Ago value={last_check.checked_at} />}</Data>
      )}
    </Row>
  );
}
