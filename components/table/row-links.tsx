"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";

const ROW_LINK = "a[data-row]";

/** Whether a click in a row is meant for a control in it, or selects text. */
export function isForControl(event: MouseEvent, row: Element): boolean {
  const target = event.target as Element;
  const other = target.closest("a, button, input, label, [popover]");
  return (other !== null && row.contains(other)) || window.getSelection()?.isCollapsed === false;
}

/** Makes a click anywhere in a row of the frame follow its link. `rows` are those of a table, or the items of a list. */
export function useRowClicks(frame: RefObject<HTMLElement | null>, rows: "tr" | "li" = "tr"): void {
  const router = useRouter();
  useEffect(() => {
    const table = frame.current;
    if (!table) return;
    const onClick = (event: MouseEvent) => {
      const row = (event.target as Element).closest(rows);
      const link = row?.querySelector<HTMLAnchorElement>(ROW_LINK);
      if (!row || !link || isForControl(event, row)) return;
      if (event.metaKey || event.ctrlKey || event.button === 1) window.open(link.href, "_blank", "noreferrer");
      else router.push(link.href);
    };
    table.addEventListener("click", onClick);
    return () => table.removeEventListener("click", onClick);
  }, [frame, router, rows]);
}

/**
 * Makes a click anywhere in a row follow its link. Text stays selectable, and each row stays a single tab stop. ↓ ↑ and j k
 * move between rows.
 */
export function RowLinks({ rows = "tr", children }: { rows?: "tr" | "li"; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useRowClicks(frame, rows);
  useEffect(() => {
    const table = frame.current;
    if (!table) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
      const current = (event.target as Element).closest<HTMLAnchorElement>(ROW_LINK);
      if (step === undefined || !current || event.metaKey || event.ctrlKey || event.altKey) return;
      const links = [...table.querySelectorAll<HTMLAnchorElement>(ROW_LINK)];
      links[links.indexOf(current) + step]?.focus();
      event.preventDefault();
    };
    table.addEventListener("keydown", onKeyDown);
    return () => table.removeEventListener("keydown", onKeyDown);
  }, []);
  return <div ref={frame}>{children}</div>;
}
