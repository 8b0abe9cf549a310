import { pool } from "@/lib/db/app";
import { WEB_STEADY_SINCE } from "@/lib/jobs/web-steady-since";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import type { MonitorToCheck } from "@/lib/uptime/checks/check";
import { isDueSinceAbsence, type Watch, wasUncallable, watchAt } from "@/lib/uptime/checks/state";

export interface DueMonitor extends MonitorToCheck {
  intervalSeconds: number;
  graceSeconds: number;
  /** Seconds from when web processes ran without a pause until it became due; null if none runs. */
  callableSeconds: number | null;
  /** A process that has crashed leased it since it became due, and has not let it wait. */
  wasFoundLate: boolean;
  /** Seconds from when it became due until it was leased, the first time if that process has crashed. */
  overdueSeconds: number;
}

/**
 * Lets heartbeats whose calls Sealwatch may have missed wait for their next ones, and ends their leases: those that became due while no
 * worker ran, from now on, and those whose calls no web process could receive, from when one could. Resolves with the other monitors. Called
 * after every lease.
 */
export async function waitAgain(leased: readonly DueMonitor[]): Promise<DueMonitor[]> {
  const watching = processSingleton<{ watch: Watch | null }>("uptime.watch", () => ({ watch: null }));
  const { since, last } = watchAt(watching.watch, Date.now());
  watching.watch = { since, last };
  const wasAbsent = (monitor: DueMonitor) => isDueSinceAbsence(monitor, (last - since) / 1000);
  const isUnjudged = (monitor: DueMonitor) => wasAbsent(monitor) || wasUncallable(monitor);
  const unjudged = leased.filter(isUnjudged);
  if (unjudged.length === 0) return [...leased];
  const { rowCount } = await pool().query(
    `UPDATE uptime_monitors m SET leased_until = NULL,
       next_check_at = CASE WHEN was_absent THEN now() ELSE coalesce(${WEB_STEADY_SINCE}, now()) END
         + make_interval(secs => m.interval_seconds + m.grace_seconds)
     FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::boolean[]) AS due (organization_id, id, leased_until, was_absent)
     WHERE m.organization_id = due.organization_id AND m.id = due.id AND m.leased_until = due.leased_until`,
    [
      unjudged.map(({ organizationId }) => organizationId),
      unjudged.map(({ id }) => id),
      unjudged.map(({ leasedUntil }) => leasedUntil),
      unjudged.map(wasAbsent),
    ],
  );
  if (rowCount)
    log.warn(
      { monitors: rowCount },
      "heartbeats became due while Sealwatch was unavailable; waiting for their next calls",
    );
  return leased.filter((monitor) => !isUnjudged(monitor));
}
