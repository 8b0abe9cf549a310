import { setTimeout as delay } from "node:timers/promises";
import { logFailure } from "@/lib/db/outage-log";
import { isUnavailable } from "@/lib/db/unavailable";

/**
 * Seconds between two evaluations of an organization: with alerts, with monitored resources, and otherwise. Changes also wake the
 * rules (wake.ts), so these intervals are for conditions that depend on time, and for missed wake-ups.
 */
export const pauses = { alerted: 15, watching: 60, idle: 600 };

/** Seconds that a process has for an evaluation, before another process repeats it. A failed evaluation is retried after them. */
export const LEASE_SECONDS = 90;

/** Whether the organization of the evaluation `e` has alerts that have not ended, in SQL. */
export const HAS_ALERTS = "EXISTS (SELECT FROM alerts WHERE organization_id = e.organization_id AND live)";

/** Seconds until the next evaluation `e` of rules about monitored state, in SQL. */
export const STATE_PAUSE = `CASE WHEN ${HAS_ALERTS} THEN ${pauses.alerted}
  WHEN EXISTS (SELECT FROM certificate_endpoints WHERE organization_id = e.organization_id)
    OR EXISTS (SELECT FROM uptime_monitors WHERE organization_id = e.organization_id)
    OR EXISTS (SELECT FROM certificates WHERE organization_id = e.organization_id) THEN ${pauses.watching}
  ELSE ${pauses.idle} END`;

/** The same for rules about audit events, if the next look at the log is in so many seconds. */
export const eventsPause = (seconds: number) =>
  `CASE WHEN ${HAS_ALERTS} THEN ${Math.min(seconds, pauses.alerted)} ELSE ${seconds} END`;

/** Milliseconds between two attempts to release a lease. */
const RELEASE_RETRY_MS = 1_000;

/** Retries the release of a lease while the database is unavailable, until the lease ends. */
export async function retryRelease(
  release: () => Promise<void>,
  leaseSeconds: number,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = performance.now() + leaseSeconds * 1_000;
  while (performance.now() < giveUpAt) {
    const error = await release().then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null || signal.aborted) return;
    if (!isUnavailable(error)) {
      logFailure("could not release evaluations of alert rules; they are due when their lease ends", error);
      return;
    }
    await delay(RELEASE_RETRY_MS, undefined, { signal }).catch(() => {});
  }
}
