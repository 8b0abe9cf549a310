"use client";

import { type ReactNode, useCallback } from "react";
import { AlertRow } from "@/components/alerts/list/alert-row";
import type { Place } from "@/components/alerts/list/alert-steps";
import { readMoreAlerts } from "@/components/alerts/list/read-more-alerts";
import { SelectAlerts } from "@/components/alerts/list/select-alerts";
import { InfiniteTable } from "@/components/table/infinite/infinite-table";
import type { ListPart } from "@/components/table/infinite/list-part";
import { type KeptLists, useInfiniteList } from "@/components/table/infinite/use-infinite-list";
import type { Alert } from "@/lib/alerts/contract";

const kept: KeptLists<Alert, Place> = new Map();

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
  first: ListPart<Alert, Place>;
  params: Record<string, string>;
  mayAct: boolean;
  /** The columns to show besides severity and subject, by id. */
  columns: ReadonlySet<string>;
  /** What follows the list; shown at its end. */
  children?: ReactNode;
}) {
  const read = useCallback((place: Place) => readMoreAlerts(params, place), [params]);
  const rows = useInfiniteList({ id, kept, first, read });
  const { items, next } = rows.list;
  return (
    <>
      <SelectAlerts ids={mayAct ? items.map(({ id }) => id) : []}>
        <InfiniteTable label={label} head={head} rows={rows}>
          {(alert, rowIndex) => (
            <AlertRow key={alert.id} alert={alert} selectable={mayAct} columns={columns} rowIndex={rowIndex} />
          )}
        </InfiniteTable>
      </SelectAlerts>
      {next === null && children}
    </>
  );
}
