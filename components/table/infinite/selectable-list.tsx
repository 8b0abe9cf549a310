"use client";

import { type ReactNode, Suspense } from "react";
import { InfiniteTable } from "@/components/table/infinite/infinite-table";
import type { InfiniteList } from "@/components/table/infinite/use-infinite-list";
import { Selectable } from "@/components/table/selection";

/** A table that loads more as people scroll, whose rows people may select and act on. `children` renders a row as in `InfiniteTable`. */
export function SelectableList<Item extends { id: string }, Cursor>({
  label,
  noun,
  head,
  rows,
  mayAct,
  bar,
  end,
  children,
}: {
  label: string;
  /** Of one row: "endpoint". */
  noun: string;
  head: ReactNode;
  rows: InfiniteList<Item, Cursor>;
  /** Whether rows can be selected. */
  mayAct: boolean;
  /** The actions for selected rows; loaded when rows are selected. */
  bar: ReactNode;
  /** What follows the list; shown at its end. */
  end?: ReactNode;
  children: (item: Item, rowIndex: number) => ReactNode;
}) {
  const { items, next } = rows.list;
  return (
    <>
      <Selectable ids={mayAct ? items.map(({ id }) => id) : []} noun={noun} bar={<Suspense>{bar}</Suspense>}>
        <InfiniteTable label={label} head={head} rows={rows}>
          {children}
        </InfiniteTable>
      </Selectable>
      {next === null && end}
    </>
  );
}
