"use client";

import { lazy, type ReactNode, useCallback } from "react";
import type { ListPart } from "@/components/table/infinite/list-part";
import { SelectableList } from "@/components/table/infinite/selectable-list";
import { type KeptLists, useInfiniteList } from "@/components/table/infinite/use-infinite-list";
import { MonitorRow } from "@/components/uptime/list/monitor-row";
import type { ListedMonitor } from "@/components/uptime/list/read-monitors";
import { readMoreMonitors } from "@/components/uptime/list/read-more-monitors";

const MonitorBar = lazy(async () => ({ default: (await import("@/components/uptime/list/monitor-bar")).MonitorBar }));

const kept: KeptLists<ListedMonitor, string> = new Map();

/** The monitors of the page's URL, which people with admin permission can select. */
export function MonitorsList({
  id,
  head,
  first,
  params,
  mayAct,
  columns,
  children,
}: {
  /** Identifies the list, with its organization; also the key of this component. */
  id: string;
  head: ReactNode;
  first: ListPart<ListedMonitor, string>;
  /** Filters and order, as in the URL. */
  params: Record<string, string>;
  mayAct: boolean;
  /** The columns to show besides the name and the state, by id. */
  columns: ReadonlySet<string>;
  /** What follows the list; shown at its end. */
  children?: ReactNode;
}) {
  const read = useCallback((cursor: string) => readMoreMonitors(params, cursor), [params]);
  const rows = useInfiniteList({ id, kept, first, read });
  return (
    <SelectableList
      label="Monitors"
      noun="monitor"
      head={head}
      rows={rows}
      mayAct={mayAct}
      bar={<MonitorBar />}
      end={children}
    >
      {(monitor, rowIndex) => (
        <MonitorRow key={monitor.id} monitor={monitor} selectable={mayAct} columns={columns} rowIndex={rowIndex} />
      )}
    </SelectableList>
  );
}
