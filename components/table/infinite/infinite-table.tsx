"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { focusRowLink, useRowKeys } from "@/components/table/infinite/row-keys";
import { useRowMeasures } from "@/components/table/infinite/row-measures";
import { Space } from "@/components/table/infinite/space";
import type { InfiniteList } from "@/components/table/infinite/use-infinite-list";
import { OVERSCAN_ROWS, useWindowRows } from "@/components/table/infinite/window-rows";
import { useRowClicks } from "@/components/table/row-links";
import { Button } from "@/components/ui/button";

/**
 * A table that loads more as people scroll; only rows near the screen exist in the document, all equally high. ↓ ↑ and j k move
 * between rows, Enter opens one. `children` renders a row; `rowIndex` is its `aria-rowindex`.
 */
export function InfiniteTable<Item extends { id: string }, Cursor>({
  label,
  head,
  rows: { list, state, readOn, retry },
  children,
}: {
  label: string;
  head: ReactNode;
  rows: InfiniteList<Item, Cursor>;
  children: (item: Item, rowIndex: number) => ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const { items, next } = list;
  const { rowPx, topPx } = useRowMeasures(frame, items.length > 0);
  const { first, end, showRow } = useWindowRows({ count: items.length, rowPx, topPx });
  const isNearEnd = end > items.length - OVERSCAN_ROWS;
  useEffect(() => {
    if (isNearEnd && state === "idle") readOn();
  }, [isNearEnd, state, readOn]);
  useRowClicks(frame);
  useRowKeys(frame, (index) => {
    if (index < 0 || index >= items.length) return;
    showRow(index, "nearest");
    focusRowLink(frame.current, index);
  });
  return (
    <>
      <div ref={frame}>
        <table
          aria-label={label}
          aria-rowcount={next === null ? items.length + 1 : -1}
          className="w-full table-fixed border-separate border-spacing-0"
        >
          <thead>
            <tr aria-rowindex={1}>{head}</tr>
          </thead>
          <tbody>
            <Space px={first * rowPx} />
            {items.slice(first, end).map((item, at) => children(item, first + at + 2))}
            <Space px={(items.length - end) * rowPx} />
          </tbody>
        </table>
      </div>
      {(next !== null || state === "failed") && (
        <p role="status" className="flex min-h-10 items-center gap-3 px-4 text-second sm:px-5">
          {state === "failed" ? (
            <>
              <span className="text-bad">The rest of the list could not be loaded.</span>
              <Button onClick={retry}>Try again</Button>
            </>
          ) : (
            "Loading…"
          )}
        </p>
      )}
    </>
  );
}
