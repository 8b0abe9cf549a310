import type { Page } from "playwright";

interface Watched {
  shifted: number;
}

/** Adds up the page's layout shifts without user input, as the browser measures them (0 to 1, or more). For `addInitScript`. */
export function watchShifts(): void {
  const page = globalThis as unknown as Watched;
  page.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) page.shifted += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** The layout shifts of a page with `watchShifts`, since it was opened. */
export function shiftedOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Watched).shifted);
}
