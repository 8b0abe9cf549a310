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
import { isMeantForOther } from "@/components/table/row-links";
import { Data, Head, Row } from "@/components/table/table";
import { cx } from "@/components/ui/cx";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Column } from "@/lib/audit-views/columns";

const ROW_PX = 28;
/** Rows beyond the edges, so that the next one is there before it is needed. */
const OVERSCAN_ROWS = 12;
/** As many as fill a tall screen: what the server renders. */
const FIRST_SCREEN_PX = 1200;

/**
 * Events, one a row; only the rows near the screen exist. ↓ ↑ and j k go from row to row, Enter opens one. `onEdge` is called
 * when an end of the list comes near.
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
  /** Ids of those that have just come in. */
  fresh: ReadonlySet<string>;
  /** The id of the one that is open. */
  current: string | null;
  /** Whether who is at the top sees rows come in there; else what is read always keeps its place. */
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
    // Once: a link that opens an entry shows it in its place, too.
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
    // At once, so that the Enter that follows opens this one; but the row may only come into being with the scrolling.
    if (!focus()) requestAnimationFrame(focus);
  };
  useRowKeys(frame, events, focusRow);

  const columns = chosenColumns(params);
  const hidden = (column: Column) => {
    const { hidden: usually, yields } = eventColumns[column];
    const isUsual = params.columns === undefined;
    return cx(!onPhones.includes(column) && "max-md:hidden", isUsual && usually, isUsual && current && yields);
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
              const { head, label, width, numeric } = eventColumns[column];
              return (
                <Head key={column} numeric={numeric ?? false} className={cx(width, hidden(column))}>
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
                  if (press.defaultPrevented || isMeantForOther(press.nativeEvent, press.currentTarget)) return;
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

/** The link that the row follows. A plain press opens the entry beside the list where there is room. */
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

/** Stands in for the rows that do not exist just now. One cell: to span columns that are hidden would bring them back. */
function Space({ px }: { px: number }) {
  if (px <= 0) return null;
  return (
    <tr style={{ height: px }}>
      <td />
    </tr>
  );
}

/** How high a row is, which depends on the screen, and where the rows begin in the page. */
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
    // What stands over the list may grow: notes, a table of figures, a second line of tokens.
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

/** Keeps what is read where it is when rows are put above it, for who has scrolled further than `fromPx`. */
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

/** j and k from anywhere on the page, the arrows from a row. */
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

/** The uppermost row on the screen. */
function firstSeen(frame: HTMLElement | null, events: AuditEvent[]): number {
  const links = [...(frame?.querySelectorAll<HTMLElement>("a[data-row]") ?? [])];
  const seen = links.find((link) => link.getBoundingClientRect().top > 2 * ROW_PX);
  return Math.max(
    0,
    events.findIndex(({ id }) => id === seen?.dataset.row),
  );
}
