import type { Validity } from "@/lib/certificates/lifetime";

const MINUTE_MS = 60_000;

/** The share of the interval after which an endpoint in that state is checked again. */
const SHARE: Record<string, number> = { ok: 1, info: 1, warning: 1 / 2, critical: 1 / 4 };
/** Checks are spread by up to this share of the time between them in either direction, so that no two keep meeting. */
const JITTER = 0.05;

export interface Checked {
  /** Decides where in the interval its checks fall. */
  id: string;
  intervalSeconds: number;
  status: string;
  /** Checks in a row without a certificate. */
  failures: number;
  validity: Validity | null;
}

/** From 0 to 1, the same for an id always and even over many of them (FNV-1a). */
export function phaseOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}

/**
 * When to look again. Unreachable: after one minute, then two, four, … up to the interval. Otherwise at the endpoint's own phase of the
 * interval, so that what began together spreads evenly; the graver the state the sooner, and right after a moment at which the certificate
 * begins or ceases to be valid. `random` is from 0 to 1.
 */
export function nextCheckAt(checked: Checked, now: Date, random: number): Date {
  const { id, intervalSeconds, status, failures, validity } = checked;
  const interval = intervalSeconds * 1000;
  const jitter = JITTER * (2 * random - 1);
  const at = now.getTime();
  const turns = validity === null ? [] : [validity.notBefore, validity.notAfter].filter((turn) => turn > now);
  const soonest = turns.map((turn) => turn.getTime() + 1000);
  if (failures > 0) {
    const wait = Math.min(interval, MINUTE_MS * 2 ** Math.min(failures - 1, 11));
    return new Date(Math.min(at + wait * (1 + jitter), ...soonest));
  }
  const wait = Math.max(MINUTE_MS, interval * (SHARE[status] ?? 1));
  // The first moment of this phase that is at least half the time away: on average the whole of it.
  const earliest = at + wait / 2;
  const phase = phaseOf(id) * wait;
  const due = earliest + ((((phase - earliest) % wait) + wait) % wait) + jitter * wait;
  return new Date(Math.min(due, ...soonest));
}
