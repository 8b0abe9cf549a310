"use client";

import { type RefObject, useLayoutEffect, useState } from "react";

/** The height of a row on a screen with a pointer. */
const ROW_PX = 28;

/** The row height, which depends on the screen, and the position of the first row in the page. */
export function useRowMeasures(
  frame: RefObject<HTMLElement | null>,
  hasRows: boolean,
): { rowPx: number; topPx: number } {
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
