/** The window of every limit, in milliseconds. */
export const WINDOW_MS = 60_000;

/** The state of a window for one request; times in milliseconds from `now`. */
interface Standing {
  admitted: boolean;
  /** Requests admitted in the window that ends now, including this one if admitted. */
  used: number;
  /** Time until the next request is admitted if there are no others; 0 while there is room. */
  freeInMs: number;
  /** Time until the full limit is available again without further requests. */
  fullInMs: number;
}

/**
 * The exact sliding window: `times` holds the ascending times of admitted requests and is updated in place. A request is admitted
 * if fewer than `limit` requests are in (now − `windowMs`, now]; refused requests do not count. With `take` false, only reads the
 * window.
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
