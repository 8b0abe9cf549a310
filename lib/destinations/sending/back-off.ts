const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;
/** Waits vary by up to this share in either direction, so that destinations of one receiver do not return all at the same time. */
const JITTER = 0.2;

/** Milliseconds to wait after `failures` failed attempts in a row, but not less than the receiver asks for. `random` is from 0 to 1. */
export function backOffMs(failures: number, retryAfterMs: number | null, random: number): number {
  const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(Math.min(LONGEST_MS, wait * (1 + JITTER * (2 * random - 1))), retryAfterMs ?? 0);
}
