"use client";

import Link from "next/link";
import { type MouseEvent, memo, type ReactNode } from "react";
import { eventColumns, hiddenClass } from "@/components/audit-logs/events/event-columns";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { isForControl } from "@/components/table/row-links";
import { Data, Row } from "@/components/table/table";
import { cx } from "@/components/ui/cx";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Column } from "@/lib/audit-views/columns";

interface Props {
  event: AuditEvent;
  /** The position in the table for screen readers, from 2; the heading is 1. */
  position: number;
  columns: readonly Column[];
  /** Whether the columns are the default ones, which make room on small screens. */
  isUsual: boolean;
  /** Whether an entry or the facets are open beside the list. */
  isBeside: boolean;
  isCurrent: boolean;
  isFresh: boolean;
  onOpen: (id: string) => void;
}

/** A row of the list. It renders only if a property changes: j and k would otherwise render each row on the screen. */
export const EventRow = memo(function EventRow({
  event,
  position,
  columns,
  isUsual,
  isBeside,
  isCurrent,
  isFresh,
  onOpen,
}: Props) {
  return (
    <Row
      aria-rowindex={position}
      data-current={isCurrent || undefined}
      className={cx(
        "cursor-pointer data-current:bg-seal-wash data-current:shadow-[inset_2px_0_0_var(--seal)]",
        isFresh && "animate-arrive",
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
            className={cx(className, hiddenClass(column, isUsual, isBeside), "max-md:h-12!")}
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
});

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
