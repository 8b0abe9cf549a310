const MINUTE_MS = 60_000;

/** How often a healthy endpoint is checked. */
export const INTERVAL_MS = 60 * MINUTE_MS;
/** The share of the interval after which an endpoint in that state is checked again. */
const SHARE: Record<string, number> = { ok: 1, info: 1, warning: 1 / 2, critical: 1 / 4 };
/** Checks are spread by up to this share in either direction, so that what began together drifts apart. */
const JITTER = 0.1;

export interface Checked {
  status: string;
  /** Checks in a row without a certificate. */
  failures: number;
  notBefore: Date | null;
  notAfter: Date | null;
}

/**
 * When to look again. Unreachable: after one minute, then two, four, … up to the interval. Otherwise the graver the state the sooner,
 * and right after a moment at which the certificate begins or ceases to be valid. `random` is from 0 to 1.
 */
export function nextCheckAt({ status, failures, notBefore, notAfter }: Checked, now: Date, random: number): Date {
  const wait =
    failures > 0
      ? Math.min(INTERVAL_MS, MINUTE_MS * 2 ** Math.min(failures - 1, 10))
      : INTERVAL_MS * (SHARE[status] ?? 1);
  const planned = now.getTime() + wait * (1 + JITTER * (2 * random - 1));
  const turns = [notBefore, notAfter].flatMap((at) => (at !== null && at > now ? [at.getTime() + 1000] : []));
  return new Date(Math.min(planned, ...turns));
}
