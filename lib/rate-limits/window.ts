/** The window of every limit, in milliseconds. */
export const WINDOW_MS = 60_000;

/** What a window says of one request; times in milliseconds from `now`. */
export interface Standing {
  admitted: boolean;
  /** Requests admitted in the window that ends now, this one included if it was. */
  used: number;
  /** After this long one more is admitted, if nobody else asks meanwhile; 0 while there is room. */
  freeInMs: number;
  /** After this long the full allowance is back, if nothing more is asked. */
  fullInMs: number;
}

/**
 * The exact sliding window: `times` holds when requests were admitted, ascending, and is brought up to date in place.
 * A request is admitted when fewer than `limit` were in (now − `windowMs`, now]; refused ones leave no trace.
 * `take` false only looks.
 */
export function slide(times: number[], now: number, limit: number, take: boolean, windowMs = WINDOW_MS): Standing {
  let expired = 0;
  while (expired < times.length && (times[expired] ?? 0) <= now - windowMs) expired++;
  if (expired > 0) times.splice(0, expired);
  const admitted = times.length < limit;
  if (admitted && take) times.push(now);
  const used = times.length;
  return {
    admitted,
    used,
    freeInMs: used < limit ? 0 : (times[used - limit] ?? now) + windowMs - now,
    fullInMs: used === 0 ? 0 : (times[used - 1] ?? now) + windowMs - now,
  };
}
