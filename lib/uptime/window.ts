import { DAY_MS } from "@/lib/time/units";

/**
 * Start of the last `days` UTC days up to `until`, including its own day; both in Unix milliseconds. Every uptime figure of several
 * days covers these days, because rollups are by UTC day.
 */
export function lastDaysStart(days: number, until: number): number {
  return (Math.floor((until - 1) / DAY_MS) - (days - 1)) * DAY_MS;
}

/** A range in whole steps, such as UTC days, because rollups have no smaller ones: its last step ends at most now. In milliseconds. */
export function wholeRange(since: number, until: number, step: number, now: number): { from: number; to: number } {
  return { from: Math.floor(since / step) * step, to: Math.min(Math.ceil(until / step) * step, now) };
}

/** Why a range of more days is refused. */
export function tooLong(days: number): string {
  return `must be at most ${days} days before until, or before now, from the start of its day (UTC)`;
}

/** `99.95%`, `100%`: two digits, cut and not rounded, so that 100% means no failure. */
export function uptimeWords(percent: number): string {
  return percent === 100 ? "100%" : `${(Math.floor(Math.round(percent * 1e3) / 10) / 100).toFixed(2)}%`;
}

/** The percentage of checks that did not fail, rounded down so that 100% means no failure. Null without checks. */
export function uptimePercent(checks: number, failures: number): number | null {
  return checks === 0 ? null : Math.floor(((checks - failures) * 1e5) / checks) / 1e3;
}
