"use client";

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { type Line, withDays } from "@/components/audit-logs/events/day-lines";
import { eventColumns, hiddenClass } from "@/components/audit-logs/events/event-columns";
import { EventRow } from "@/components/audit-logs/events/event-row";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { chosenColumns } from "@/components/audit-logs/views/view";
import { focusRowLink, useRowKeys } from "@/components/table/infinite/row-keys";
import { useRowMeasures } from "@/components/table/infinite/row-measures";
import { Space } from "@/components/table/infinite/space";
import { OVERSCAN_ROWS, useWindowRows } from "@/components/table/infinite/window-rows";
import { Head } from "@/components/table/table";
import { cx } from "@/components/ui/cx";
import { useTimeZone } from "@/components/ui/reader";
import type { AuditEvent } from "@/lib/audit-logs/contract";

/**
 * Events, one per row; only rows near the screen exist in the document. ↓ ↑ and j k move between rows, Enter opens one.
 * Calls `onEdge` when the reader comes near an end of the list.
 */
export function EventsTable({
  events,
  fresh,
  current,
  followsTop,
  onOpen,
  onEdge,
}: {
  events: AuditEvent[];
  /** IDs of entries that have just arrived. */
  fresh: ReadonlySet<string>;
  /** The ID of the open entry. */
  current: string | null;
  /** Whether a reader at the top sees new rows appear; otherwise the scroll position is always kept. */
  followsTop: boolean;
  onOpen: (id: string) => void;
  onEdge: (edge: "up" | "down") => void;
}) {
  const { params } = useExplorerView();
  const frame = useRef<HTMLDivElement>(null);
  const { rowPx, topPx } = useRowMeasures(frame, events.length > 0);
  const zone = useTimeZone();
  const lines = useMemo(() => withDays(events, zone), [events, zone]);
  const { first, end, showRow } = useWindowRows({ count: lines.length, rowPx, topPx });
  useKeptPlace(lines, rowPx, followsTop ? topPx : -1);
  useEffect(() => {
    if (end > lines.length - OVERSCAN_ROWS) onEdge("down");
    if (first <= OVERSCAN_ROWS) onEdge("up");
  }, [first, end, lines.length, onEdge]);
  const shown = useRef(false);
  useEffect(() => {
    // Only once: a link to an entry also scrolls the list to it.
    if (shown.current || topPx === 0) return;
    shown.current = true;
    const index = lines.findIndex(({ id }) => id === current);
    if (index > OVERSCAN_ROWS && window.scrollY === 0) showRow(index, "center");
  }, [topPx, lines, current, showRow]);
  const focusRow = (index: number) => {
    const event = events[index];
    if (!event) return;
    showRow(
      lines.findIndex(({ id }) => id === event.id),
      "nearest",
    );
    focusRowLink(frame.current, index);
  };
  useRowKeys(frame, focusRow);

  const isUsual = params.columns === undefined;
  // An entry and the facets both take their room from the list.
  const isBeside = current !== null || params.facets === "1";
  const columns = useMemo(
    () => chosenColumns({ ...(params.columns && { columns: params.columns }) }),
    [params.columns],
  );
  const latestOpen = useRef(onOpen);
  useLayoutEffect(() => {
    latestOpen.current = onOpen;
  }, [onOpen]);
  const open = useCallback((id: string) => latestOpen.current(id), []);
  return (
    // A frame that scrolls sideways is what its heads stick to: the height of the page's bar would push them onto the first row.
    <div ref={frame} className={isUsual ? undefined : "overflow-x-auto [&_th]:top-0"}>
      <table
        aria-label="Audit log"
        aria-rowcount={-1}
        className={cx(
          "w-full table-fixed border-separate border-spacing-0",
          !isUsual && columns.length > 8 && "md:min-w-[88rem]",
        )}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => {
              const { head, label, numeric, width, narrow } = eventColumns[column];
              const isNarrow = isUsual && isBeside && narrow !== undefined;
              return (
                <Head
                  key={column}
                  numeric={numeric ?? false}
                  className={cx(isNarrow ? narrow : width, hiddenClass(column, isUsual, isBeside))}
                >
                  {head ?? label}
                </Head>
              );
            })}
          </tr>
        </thead>
        <tbody>
          <Space px={first * rowPx} />
          {lines
            .slice(first, end)
            .map((line) =>
              line.event === null ? (
                <Day key={line.id} day={line.day} px={rowPx} />
              ) : (
                <EventRow
                  key={line.id}
                  event={line.event}
                  position={line.index + 2}
                  columns={columns}
                  isUsual={isUsual}
                  isBeside={isBeside}
                  isCurrent={line.id === current}
                  isFresh={fresh.has(line.id)}
                  onOpen={open}
                />
              ),
            )}
          <Space px={(lines.length - end) * rowPx} />
        </tbody>
      </table>
    </div>
  );
}

/** The day that begins below. Hidden from screen readers, because each row has its own time. One cell, as above. */
function Day({ day, px }: { day: string; px: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: A row without a tabIndex cannot have the focus.
    <tr
      aria-hidden="true"
      style={{ height: px }}
      // A shadow fills the whole row; a background would only fill the cell.
      className="shadow-[inset_0_-1px_0_var(--line),inset_0_0_0_2rem_var(--sunken)]"
    >
      <td className="whitespace-nowrap px-4 align-middle text-second text-sm sm:px-5">{day}</td>
    </tr>
  );
}

/** Keeps the scroll position when rows are added above, if the reader has scrolled further than `fromPx`. */
function useKeptPlace(lines: Line<AuditEvent>[], rowPx: number, fromPx: number): void {
  const before = useRef(lines);
  useLayoutEffect(() => {
    const [first] = before.current;
    const moved = first === undefined ? 0 : lines.findIndex(({ id }) => id === first.id);
    before.current = lines;
    if (moved > 0 && window.scrollY > fromPx) window.scrollBy({ top: moved * rowPx, behavior: "instant" });
  }, [lines, rowPx, fromPx]);
}
