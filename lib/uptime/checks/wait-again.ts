import { pool } from "@/lib/db/app";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import type { MonitorToCheck } from "@/lib/uptime/checks/check";
import { isDueSinceAbsence, type Watch, watchAt } from "@/lib/uptime/checks/state";

export interface DueMonitor extends MonitorToCheck {
  /** Seconds from when it became due until it was leased, the first time if that process has crashed. */
  overdueSeconds: number;
}

/**
 * Lets heartbeats that became due while Sealwatch was unavailable wait for their next calls, and ends their leases.
 * Resolves with the other monitors. Called after every lease.
 */
export async function waitAgain(leased: readonly DueMonitor[]): Promise<DueMonitor[]> {
  const watching = processSingleton<{ watch: Watch | null }>("uptime.watch", () => ({ watch: null }));
  const { since, last } = watchAt(watching.watch, Date.now());
  watching.watch = { since, last };
  const isUnjudged = (monitor: DueMonitor) => isDueSinceAbsence(monitor, (last - since) / 1000);
  const unjudged = leased.filter(isUnjudged);
  if (unjudged.length === 0) return [...leased];
  const { rowCount } = await pool().query(
    `UPDATE uptime_monitors m SET leased_until = NULL,
       next_check_at = now() + make_interval(secs => m.interval_seconds + m.grace_seconds)
     FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS due (organization_id, id, leased_until)
     WHERE m.organization_id = due.organization_id AND m.id = due.id AND m.leased_until = due.leased_until`,
    [
      unjudged.map(({ organizationId }) => organizationId),
      unjudged.map(({ id }) => id),
      unjudged.map(({ leasedUntil }) => leasedUntil),
    ],
  );
  if (rowCount)
    log.warn(
      { monitors: rowCount },
      "heartbeats became due while Sealwatch was unavailable; waiting for their next calls",
    );
  return leased.filter((monitor) => !isUnjudged(monitor));
}
