"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { eventColumns, onPhones } from "@/components/audit-logs/events/event-columns";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { chosenColumns, EXPLORER } from "@/components/audit-logs/views/view";
import { isForControl } from "@/components/table/row-links";
import { Data, Head, Row } from "@/components/table/table";
import { cx } from "@/components/ui/cx";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Column } from "@/lib/audit-views/columns";

const ROW_PX = 28;
/** Rows rendered beyond the screen, so that scrolling does not show gaps. */
const OVERSCAN_ROWS = 12;
/** Height of the rows that the server renders: enough to fill a tall screen. */
const FIRST_SCREEN_PX = 1200;

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
  const virtualizer = useWindowVirtualizer({
    count: events.length,
    estimateSize: () => rowPx,
    overscan: OVERSCAN_ROWS,
    scrollMargin: topPx,
    scrollPaddingStart: 2 * rowPx,
    scrollPaddingEnd: rowPx,
    initialRect: { width: 0, height: FIRST_SCREEN_PX },
    initialOffset: 0,
    getItemKey: (index) => events[index]?.id ?? index,
  });
  useEffect(() => {
    if (rowPx > 0) virtualizer.measure();
  }, [rowPx, virtualizer]);
  useKeptPlace(events, rowPx, followsTop ? topPx : -1);
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => {
    if (last >= events.length - OVERSCAN_ROWS) onEdge("down");
    if (first <= OVERSCAN_ROWS) onEdge("up");
  }, [first, last, events.length, onEdge]);
  const shown = useRef(false);
  useEffect(() => {
    // Only once: a link to an entry also scrolls the list to it.
    if (shown.current || topPx === 0) return;
    shown.current = true;
    const index = events.findIndex(({ id }) => id === current);
    if (index > OVERSCAN_ROWS && window.scrollY === 0) virtualizer.scrollToIndex(index, { align: "center" });
  }, [topPx, events, current, virtualizer]);
  const focusRow = (index: number) => {
    const event = events[index];
    if (!event) return;
    virtualizer.scrollToIndex(index, { align: "auto" });
    const focus = () => {
      const link = frame.current?.querySelector<HTMLElement>(linkOf(event.id));
      link?.focus({ preventScroll: true });
      return link;
    };
    // Focus immediately, so that a following Enter opens this row; the row may not exist before scrolling has rendered it.
    if (!focus()) requestAnimationFrame(focus);
  };
  useRowKeys(frame, events, focusRow);

  const columns = chosenColumns(params);
  const hidden = (column: Column) => {
    const { hidden: usually, yields } = eventColumns[column];
    const isUsual = params.columns === undefined;
    return cx(!onPhones.includes(column) && "max-md:hidden", isUsual && usually, isUsual && current && yields);
  };
  const widthOf = (column: Column) => {
    const { width, narrow } = eventColumns[column];
    return params.columns === undefined && current !== null ? (narrow ?? width) : width;
  };
  const above = items[0] ? items[0].start - topPx : 0;
  const below = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? topPx) - topPx);
  return (
    <div ref={frame} className={params.columns === undefined ? undefined : "overflow-x-auto"}>
      <table
        aria-label="Audit log"
        aria-rowcount={-1}
        className={cx(
          "w-full table-fixed border-separate border-spacing-0",
          params.columns !== undefined && columns.length > 8 && "md:min-w-[88rem]",
        )}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => {
              const { head, label, numeric } = eventColumns[column];
              return (
                <Head key={column} numeric={numeric ?? false} className={cx(widthOf(column), hidden(column))}>
                  {head ?? label}
                </Head>
              );
            })}
          </tr>
        </thead>
        <tbody>
          <Space px={above} />
          {items.map(({ index }) => {
            const event = events[index];
            if (!event) return null;
            return (
              <Row
                key={event.id}
                aria-rowindex={index + 2}
                data-current={event.id === current || undefined}
                className={cx(
                  "cursor-pointer data-current:bg-seal-wash data-current:shadow-[inset_2px_0_0_var(--seal)]",
                  fresh.has(event.id) && "animate-arrive",
                )}
                onClick={(press: MouseEvent<HTMLTableRowElement>) => {
                  if (press.defaultPrevented || isForControl(press.nativeEvent, press.currentTarget)) return;
                  onOpen(event.id);
                }}
              >
                {columns.map((column, at) => {
                  const { cell, className, numeric } = eventColumns[column];
                  return (
                    <Data
                      key={column}
                      numeric={numeric ?? false}
                      className={cx(className, hidden(column), "max-md:h-12!")}
                    >
                      {at === 0 ? (
                        <RowOpener id={event.id} onOpen={onOpen}>
                          {cell(event)}
                        </RowOpener>
                      ) : (
                        cell(event)
                      )}
                    </Data>
                  );
                })}
              </Row>
            );
          })}
          <Space px={below} />
        </tbody>
      </table>
    </div>
  );
}

const linkOf = (id: string) => `a[data-row="${id}"]`;

/** The link of the row. A plain click opens the entry beside the list if there is room. */
function RowOpener({ id, onOpen, children }: { id: string; onOpen: (id: string) => void; children: ReactNode }) {
  return (
    <Link
      prefetch={false}
      href={`${EXPLORER}/${id}`}
      data-row={id}
      onClick={(press) => {
        if (press.metaKey || press.ctrlKey || press.shiftKey || press.altKey) return;
        press.preventDefault();
        onOpen(id);
      }}
      className="rounded-xs group-hover/row:underline focus-visible:outline-2"
    >
      {children}
    </Link>
  );
}

/** Takes the space of rows that are not rendered. It has one cell, because a colspan would bring hidden columns back. */
function Space({ px }: { px: number }) {
  if (px <= 0) return null;
  return (
    <tr style={{ height: px }}>
      <td />
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
function useKeptPlace(events: AuditEvent[], rowPx: number, fromPx: number): void {
  const before = useRef(events);
  useLayoutEffect(() => {
    const [first] = before.current;
    const moved = first === undefined ? 0 : events.findIndex(({ id }) => id === first.id);
    before.current = events;
    if (moved > 0 && window.scrollY > fromPx) window.scrollBy({ top: moved * rowPx, behavior: "instant" });
  }, [events, rowPx, fromPx]);
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
