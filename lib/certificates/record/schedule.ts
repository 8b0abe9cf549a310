import type { Validity } from "@/lib/certificates/lifetime";
import { MINUTE_MS } from "@/lib/time/units";

/** The share of the interval between two checks, by state. */
const SHARE: Record<string, number> = { ok: 1, info: 1, warning: 1 / 2, critical: 1 / 4 };
/** Checks move by up to this share of their interval in either direction, so that no two endpoints keep colliding. */
const JITTER = 0.05;

export interface Checked {
  /** Determines the phase of its checks within the interval. */
  id: string;
  intervalSeconds: number;
  status: string;
  /** Consecutive checks without a certificate. */
  failures: number;
  /** Of the certificates that its addresses serve. */
  validities: readonly Validity[];
}

/** A number from 0 to 1 that is constant for an id and evenly distributed over many ids (FNV-1a). */
export function phaseOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}

/**
 * Seconds until the next check. Unreachable endpoints: after 1, 2, 4, … minutes up to the interval. Others: at the endpoint's own phase of
 * the interval, so that endpoints added together spread out; sooner the more severe the state, and immediately after a
 * certificate becomes valid or expires. `random` is from 0 to 1.
 */
export function secondsToNextCheck(checked: Checked, now: Date, random: number): number {
  const { id, intervalSeconds, status, failures, validities } = checked;
  const interval = intervalSeconds * 1000;
  const jitter = JITTER * (2 * random - 1);
  const at = now.getTime();
  const turns = validities.flatMap(({ notBefore, notAfter }) => [notBefore, notAfter]).filter((turn) => turn > now);
  const soonest = turns.map((turn) => turn.getTime() + 1000);
  if (failures > 0) {
    const wait = Math.min(interval, MINUTE_MS * 2 ** Math.min(failures - 1, 11));
    return (Math.min(at + wait * (1 + jitter), ...soonest) - at) / 1000;
  }
  const wait = Math.max(MINUTE_MS, interval * (SHARE[status] ?? 1));
  // The first moment of this phase that is at least half the interval away: on average a whole interval.
  const earliest = at + wait / 2;
  const phase = phaseOf(id) * wait;
  const due = earliest + ((((phase - earliest) % wait) + wait) % wait) + jitter * wait;
  return (Math.min(due, ...soonest) - at) / 1000;
}
