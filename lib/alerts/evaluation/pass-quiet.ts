import { HAS_ALERTS, pauses, retryRelease } from "@/lib/alerts/evaluation/schedule";
import { type LogCursor, quietLogs } from "@/lib/audit-logs/read/new-events";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";

/** Organizations at a time. */
const ORGANIZATIONS = 500;
/** Seconds: shorter than a lease of one, because it holds up hundreds if the process ends. */
const LEASE_SECONDS = 30;

/** Whether the enabled rules about events of the evaluation `e` are about security events only, and there is one. */
const AWAITS_SECURITY_EVENTS = `EXISTS (
    SELECT FROM alert_rules r WHERE r.organization_id = e.organization_id AND enabled AND condition ->> 'type' = 'security_event'
  ) AND NOT EXISTS (
    SELECT FROM alert_rules r WHERE r.organization_id = e.organization_id AND enabled
      AND condition ->> 'type' IN ('event_count', 'log_integrity', 'destination_lag')
  )`;

interface Due {
  organization_id: string;
  leased_until: Date;
  /** Since when it is due. */
  due_at: Date;
  place: LogCursor;
}

/**
 * Ends the due evaluations of rules about events in organizations whose log has no new security event, which are most, with a few statements
 * for hundreds of them. The others stay due.
 */
export async function passQuiet(signal: AbortSignal): Promise<void> {
  const others: string[] = [];
  for (let isMore = true; isMore && !signal.aborted; ) {
    const due = await lease(others);
    if (due.length === 0) return;
    const quiet = await quietLogs(new Map(due.map(({ organization_id, place }) => [organization_id, place]))).catch(
      (error: unknown) => {
        logFailure("could not look for organizations without new security events", error);
        return new Map<string, LogCursor>();
      },
    );
    await retryRelease(() => release(due, quiet), LEASE_SECONDS, signal);
    others.push(...due.flatMap(({ organization_id }) => (quiet.has(organization_id) ? [] : [organization_id])));
    isMore = due.length === ORGANIZATIONS;
  }
}

/** Schedules the next evaluation after the lease, as for others, so that a wake-up meanwhile is visible. */
async function lease(except: readonly string[]): Promise<Due[]> {
  const { rows } = await pool().query<Due>(
    `WITH due AS MATERIALIZED (
       SELECT organization_id, events_next_at FROM alert_evaluations e
       WHERE events_next_at <= now() AND (events_leased_until IS NULL OR events_leased_until <= now())
         AND events_place IS NOT NULL AND events_counted_at IS NULL AND ${AWAITS_SECURITY_EVENTS} AND NOT ${HAS_ALERTS}
         AND organization_id <> ALL($3::uuid[])
       ORDER BY events_next_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE alert_evaluations e
     SET events_next_at = now() + make_interval(secs => $2), events_leased_until = now() + make_interval(secs => $2)
     FROM due WHERE e.organization_id = due.organization_id
     RETURNING e.organization_id, e.events_leased_until AS leased_until, due.events_next_at AS due_at, e.events_place AS place`,
    [ORGANIZATIONS, LEASE_SECONDS, except],
  );
  return rows;
}

async function release(due: readonly Due[], quiet: ReadonlyMap<string, LogCursor>): Promise<void> {
  const places = due.map(({ organization_id }) => quiet.get(organization_id));
  await pool().query(
    `WITH passed AS MATERIALIZED (
       SELECT e.organization_id, p.due_at, p.place FROM alert_evaluations e
       JOIN unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::jsonb[]) AS p (organization_id, leased_until, due_at, place)
         USING (organization_id)
       WHERE e.events_leased_until = p.leased_until ORDER BY e.organization_id FOR UPDATE OF e
     )
     UPDATE alert_evaluations e SET events_leased_until = NULL, events_place = coalesce(passed.place, events_place),
       events_next_at = CASE WHEN passed.place IS NULL THEN passed.due_at WHEN events_next_at < events_leased_until THEN events_next_at
         ELSE now() + make_interval(secs => $5) END
     FROM passed WHERE e.organization_id = passed.organization_id`,
    [
      due.map(({ organization_id }) => organization_id),
      due.map(({ leased_until }) => leased_until.toISOString()),
      due.map(({ due_at }) => due_at.toISOString()),
      places.map((place) => (place === undefined ? null : JSON.stringify(place))),
      pauses.watching,
    ],
  );
}
