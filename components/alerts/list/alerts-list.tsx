"use client";

import { lazy, type ReactNode, useCallback } from "react";
import { AlertRow } from "@/components/alerts/list/alert-row";
import type { Position } from "@/components/alerts/list/alert-steps";
import { readMoreAlerts } from "@/components/alerts/list/read-more-alerts";
import type { ListPart } from "@/components/table/infinite/list-part";
import { SelectableList } from "@/components/table/infinite/selectable-list";
import { type KeptLists, useInfiniteList } from "@/components/table/infinite/use-infinite-list";
import type { Alert } from "@/lib/alerts/contract";

const AlertBar = lazy(async () => ({ default: (await import("@/components/alerts/alert-bar")).AlertBar }));

const kept: KeptLists<Alert, Position> = new Map();

/** The alerts of the page's URL, which people with admin permission can select. */
export function AlertsList({
  id,
  label,
  head,
  first,
  params,
  mayAct,
  columns,
  children,
}: {
  /** Identifies the list, with its organization; also the key of this component. */
  id: string;
  label: string;
  head: ReactNode;
  first: ListPart<Alert, Position>;
  params: Record<string, string>;
  mayAct: boolean;
  /** The columns to show besides severity and subject, by id. */
  columns: ReadonlySet<string>;
  /** What follows the list; shown at its end. */
  children?: ReactNode;
}) {
  const read = useCallback((position: Position) => readMoreAlerts(params, position), [params]);
  const rows = useInfiniteList({ id, kept, first, read });
  return (
    <SelectableList
      label={label}
      noun="alert"
      head={head}
      rows={rows}
      mayAct={mayAct}
      bar={<AlertBar />}
      end={children}
    >
      {(alert, rowIndex) => (
        <AlertRow key={alert.id} alert={alert} selectable={mayAct} columns={columns} rowIndex={rowIndex} />
      )}
    </SelectableList>
  );
}
