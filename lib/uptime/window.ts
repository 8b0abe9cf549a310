import { DAY_MS } from "@/lib/time/units";

/**
 * Start of the last `days` UTC days up to `until`, including its own day; both in Unix milliseconds. Every uptime figure of several
 * days covers these days, because rollups are by UTC day.
 */
export function lastDaysStart(days: number, until: number): number {
  return (Math.floor((until - 1) / DAY_MS) - (days - 1)) * DAY_MS;
}

/** `99.95%`, `100%`: two digits, cut and not rounded, so that 100% means no failure. */
export function uptimeWords(percent: number): string {
  return percent === 100 ? "100%" : `${(Math.floor(Math.round(percent * 1e3) / 10) / 100).toFixed(2)}%`;
}

/** The percentage of checks that did not fail, rounded down so that 100% means no failure. Null without checks. */
export function uptimePercent(checks: number, failures: number): number | null {
  return checks === 0 ? null : Math.floor(((checks - failures) * 1e5) / checks) / 1e3;
}
