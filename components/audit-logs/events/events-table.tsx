"use client";

import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type Line, withDays } from "@/components/audit-logs/events/day-lines";
import { eventColumns, hiddenClass } from "@/components/audit-logs/events/event-columns";
import { EventRow } from "@/components/audit-logs/events/event-row";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { chosenColumns } from "@/components/audit-logs/views/view";
import { Head } from "@/components/table/table";
import { OVERSCAN_ROWS, useWindowRows } from "@/components/table/window-rows";
import { cx } from "@/components/ui/cx";
import { useTimeZone } from "@/components/ui/reader";
import type { AuditEvent } from "@/lib/audit-logs/contract";

const ROW_PX = 28;

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
  const { rowPx, topPx } = useMeasures(frame, events.length > 0);
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
    const focus = () => {
      const link = frame.current?.querySelector<HTMLElement>(linkOf(event.id));
      link?.focus({ preventScroll: true });
      return link;
    };
    // Focus immediately, so that a following Enter opens this row; the row may not exist before scrolling has rendered it.
    if (!focus()) requestAnimationFrame(focus);
  };
  useRowKeys(frame, events, focusRow);

  const isUsual = params.columns === undefined;
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
    <div ref={frame} className={isUsual ? undefined : "overflow-x-auto"}>
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
              const isNarrow = isUsual && current !== null && narrow !== undefined;
              return (
                <Head
                  key={column}
                  numeric={numeric ?? false}
                  className={cx(isNarrow ? narrow : width, hiddenClass(column, isUsual, current !== null))}
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
                  isBeside={current !== null}
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

const linkOf = (id: string) => `a[data-row="${id}"]`;

/** Takes the space of rows that are not rendered. It has one cell, because a colspan would bring hidden columns back. */
function Space({ px }: { px: number }) {
  if (px <= 0) return null;
  return (
    <tr style={{ height: px }}>
      <td />
    </tr>
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

/** The row height, which depends on the screen, and the position of the first row in the page. */
function useMeasures(frame: RefObject<HTMLDivElement | null>, hasRows: boolean) {
  const [measures, setMeasures] = useState({ rowPx: ROW_PX, topPx: 0 });
  useLayoutEffect(() => {
    const measure = () => {
      const row = frame.current?.querySelector<HTMLElement>("tr:has(> td > a[data-row])");
      const body = frame.current?.querySelector("tbody");
      if (!hasRows || !row || !body) return;
      const rowPx = row.getBoundingClientRect().height;
      const topPx = Math.round(body.getBoundingClientRect().top + window.scrollY);
      setMeasures((before) => (before.rowPx === rowPx && before.topPx === topPx ? before : { rowPx, topPx }));
    };
    measure();
    // Content above the list may grow: notes, the histogram table, a second line of filters.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    window.addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [frame, hasRows]);
  return measures;
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

const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** j and k work anywhere on the page, the arrow keys only in a row. */
function useRowKeys(frame: RefObject<HTMLDivElement | null>, events: AuditEvent[], focusRow: (index: number) => void) {
  const act = useEffectEvent((event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as Element;
    const row = frame.current?.contains(target) ? target.closest<HTMLElement>("a[data-row]") : null;
    const isLetter = event.key.length === 1;
    if (!row && (!isLetter || target.closest("input, textarea, select, dialog, [role=menu], [data-keys]"))) return;
    event.preventDefault();
    const at = events.findIndex(({ id }) => id === row?.dataset.row);
    focusRow(row ? at + step : firstSeen(frame.current, events));
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => act(event);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** The index of the topmost visible row. */
function firstSeen(frame: HTMLElement | null, events: AuditEvent[]): number {
  const links = [...(frame?.querySelectorAll<HTMLElement>("a[data-row]") ?? [])];
  const seen = links.find((link) => link.getBoundingClientRect().top > 2 * ROW_PX);
  return Math.max(
    0,
    events.findIndex(({ id }) => id === seen?.dataset.row),
  );
}
