"use client";

import { startTransition, useCallback, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { neverChanges } from "@/components/ui/reader";

/** Rows rendered beyond the screen, so that scrolling does not show gaps. */
export const OVERSCAN_ROWS = 12;
/** Height of the rows that the server renders: enough to fill a tall screen. */
const FIRST_SCREEN_PX = 1200;

interface Rows {
  /** The index of the first row to render. */
  first: number;
  /** The index after the last row to render. */
  end: number;
}

interface List {
  count: number;
  /** The height of each row; 0 until it has been measured. */
  rowPx: number;
  /** The position of the first row in the page. */
  topPx: number;
}

/** The rows near a part of the page, and some beyond it, within the list. */
export function rowsNear(
  { count, rowPx, topPx }: List,
  scrollY: number,
  heightPx: number,
  overscan = OVERSCAN_ROWS,
): Rows {
  const from = Math.floor((scrollY - topPx) / rowPx) - overscan;
  const to = Math.ceil((scrollY + heightPx - topPx) / rowPx) + overscan;
  const end = Math.min(Math.max(to, 0), count);
  return { first: Math.min(Math.max(from, 0), end), end };
}

/**
 * The rows to render of a long list that scrolls with the page, all equally high, and a function that scrolls a row into
 * view: only if it is covered or outside of the screen, or to its middle.
 */
export function useWindowRows(list: List): Rows & { showRow: (index: number, to: "nearest" | "center") => void } {
  const { count, rowPx, topPx } = list;
  const isOfServer = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  // Of a page that is navigated to, the rows on the screen come first, and those beyond it when they are painted.
  const [overscan, setOverscan] = useState(isOfServer ? OVERSCAN_ROWS : 0);
  const [seen, setSeen] = useState<Rows>(() =>
    rowsNear(list, topPx, isOfServer ? FIRST_SCREEN_PX : window.innerHeight, overscan),
  );
  useEffect(() => startTransition(() => setOverscan(OVERSCAN_ROWS)), []);
  useLayoutEffect(() => {
    if (rowPx <= 0) return;
    const look = () => {
      const next = rowsNear({ count, rowPx, topPx }, window.scrollY, window.innerHeight, overscan);
      setSeen((before) => (before.first === next.first && before.end === next.end ? before : next));
    };
    // Rendered before the browser paints the new position, so that a jump by pages shows no empty frame.
    const onScroll = () => flushSync(look);
    look();
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", look);
    };
  }, [count, rowPx, topPx, overscan]);
  const showRow = useCallback(
    (index: number, to: "nearest" | "center") => {
      const rowTop = topPx + index * rowPx;
      // The heading of the table covers the top of the screen.
      const highest = rowTop - 2 * rowPx;
      const lowest = rowTop + 2 * rowPx - window.innerHeight;
      const top = to === "center" ? (highest + lowest) / 2 : Math.min(highest, Math.max(lowest, window.scrollY));
      if (top !== window.scrollY) window.scrollTo({ top, behavior: "instant" });
    },
    [rowPx, topPx],
  );
  const end = Math.min(seen.end, count);
  return { first: Math.min(seen.first, end), end, showRow };
}
