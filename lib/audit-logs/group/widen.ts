/** What counting a range found, and took. Times in milliseconds. */
interface Counted {
  events: number;
  tookMs: number;
  /** Since the first count began. */
  passedMs: number;
}

export interface Limits {
  /** Maximum events to count. */
  most: number;
  /** Events that are counted even if that takes longer than `budgetMs`. */
  least: number;
  budgetMs: number;
}

/** A range with this share of the maximum is wide enough: a wider one would be counted again as a whole. */
const ENOUGH_SHARE = 0.4;
/** The share of the maximum to aim for: events beyond the maximum are read but not counted. */
const AIMED_SHARE = 0.9;
const MIN_FACTOR = 1.5;
const MAX_FACTOR = 6;
/** With this many events, their rate suggests how wide a range is enough. */
const TELLING_EVENTS = 500;
const MAX_TELLING_FACTOR = 12;
/** Milliseconds after which no further range is counted, however few events were found. */
const TIMEOUT_MS = 5_000;

/** The factor by which to widen a range, if it should be counted again; null if what was counted is enough. Assumes that time grows with width. */
export function widen({ events, tookMs, passedMs }: Counted, { most, least, budgetMs }: Limits): number | null {
  if (events >= most * ENOUGH_SHARE) return null;
  const affordable = (limitMs: number) => (limitMs - passedMs) / Math.max(1, tookMs);
  const isEnough = events >= least;
  const needed = isEnough ? 0 : Math.max(MIN_FACTOR, least / Math.max(1, events));
  const factor = Math.min(
    events >= TELLING_EVENTS ? MAX_TELLING_FACTOR : MAX_FACTOR,
    (most * AIMED_SHARE) / Math.max(1, events),
    Math.max(needed, affordable(budgetMs)),
    affordable(TIMEOUT_MS),
  );
  return factor < MIN_FACTOR ? null : factor;
}
