import { type EvaluationTrack, evaluationTracks } from "@/lib/alert-schedule/evaluation-tracks";
import { eventConditions, unchangedEvents, unchangedState } from "@/lib/alerts/evaluation/find-unchanged";
import { eventsPause, pauses, retryRelease, STATE_PAUSE } from "@/lib/alerts/evaluation/schedule";
import type { Condition } from "@/lib/alerts/rules/conditions";
import type { LogCursor } from "@/lib/audit-logs/read/new-events";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";
import { count } from "@/lib/metrics/metrics";
import { processSingleton } from "@/lib/process-singleton";

/** Seconds: shorter than the lease of one evaluation, because it holds up hundreds if the process ends. */
const PASS_LEASE_SECONDS = 30;
/** Seconds. Evaluations due within this time are included, because larger batches cost less per evaluation. */
const AHEAD_SECONDS = 5;
/** How long an organization is evaluated by itself, in milliseconds: after an evaluation that changes something, and after a failed look. */
const CHANGED_MS = 60_000;
const FAILED_MS = 600_000;

interface Due {
  organization_id: string;
  leased_until: Date;
  /** Since when it is due. */
  due_at: Date;
  place: LogCursor;
  /** Evaluations due before this time were leased. */
  horizon: Date;
}

/** The rules of a track, as a pass sees them. */
interface Pass {
  track: EvaluationTrack;
  /** Organizations at a time. */
  batch: number;
  /** Which evaluations `e` can be passed, in SQL. */
  where: string;
  /** Seconds until the next evaluation of `e`, in SQL. */
  pause: string;
  /** The organizations whose evaluation would change nothing, each with its new cursor in the log, if it has one. */
  unchanged: (due: readonly Due[]) => Promise<ReadonlyMap<string, LogCursor | null>>;
}

/** Whether the organization of the evaluation `e` has an enabled rule of one of these types, in SQL. */
const hasRule = (types: readonly Condition["type"][]) => `EXISTS (
    SELECT FROM alert_rules r WHERE r.organization_id = e.organization_id AND enabled
      AND condition ->> 'type' IN (${types.map((type) => `'${type}'`).join(", ")})
  )`;

/**
 * Ends the due evaluations of rules about monitored state that would change nothing, which are most, with a few statements for a hundred
 * organizations. Returns when it has found others, which stay due, or nothing is due. Rules about response times are left out, because
 * each is a query of many checks. Rejects if the database is unavailable.
 */
export function passUnchangedState(signal: AbortSignal): Promise<void> {
  const where = `NOT ${hasRule(["latency"])}`;
  const unchanged = (due: readonly Due[]) => unchangedState(due.map(({ organization_id }) => organization_id));
  return pass({ track: "state", batch: 100, where, pause: STATE_PAUSE, unchanged }, signal);
}

/** The same for rules about audit events, where an organization has none but about security events, and its log has no new one. */
export function passUnchangedEvents(signal: AbortSignal): Promise<void> {
  const others = eventConditions.filter((type) => type !== "security_event");
  const where = `events_place IS NOT NULL AND events_counted_at IS NULL AND ${hasRule(["security_event"])} AND NOT ${hasRule(others)}`;
  const unchanged = (due: readonly Due[]) =>
    unchangedEvents(new Map(due.map(({ organization_id, place }) => [organization_id, place])));
  return pass({ track: "events", batch: 500, where, pause: eventsPause(pauses.watching), unchanged }, signal);
}

async function pass(of: Pass, signal: AbortSignal): Promise<void> {
  /** Until when organizations are evaluated by themselves, as of `performance.now()`. */
  const apart = processSingleton(`alerts.evaluated-apart-${of.track}`, () => new Map<string, number>());
  for (const [id, until] of apart) if (until <= performance.now()) apart.delete(id);
  // An evaluation that was passed is next due after this time, so each organization is looked at once.
  let horizon: Date | null = null;
  for (let isMore = true; isMore && !signal.aborted; ) {
    const due: Due[] = await lease(of, horizon, [...apart.keys()]);
    if (due[0] === undefined) return;
    horizon = due[0].horizon;
    let failure: unknown;
    const unchanged = await of.unchanged(due).catch((error: unknown) => {
      failure = error;
      return new Map<string, null>();
    });
    await retryRelease(() => release(of, due, unchanged), PASS_LEASE_SECONDS, signal);
    if (isAway(failure)) throw failure;
    if (failure !== undefined) logFailure(`could not look for evaluations that change nothing (${of.track})`, failure);
    count("sealwatch_tasks_total", { kind: `alert_evaluation_${of.track}`, outcome: "done" }, unchanged.size);
    const others = due.filter(({ organization_id }) => !unchanged.has(organization_id));
    const until = performance.now() + (failure === undefined ? CHANGED_MS : FAILED_MS);
    for (const { organization_id } of others) apart.set(organization_id, until);
    isMore = due.length === of.batch && others.length === 0;
  }
}

/** Schedules the next evaluation after the lease, as for others, so that a wake-up meanwhile is visible. */
async function lease({ track, batch, where }: Pass, horizon: Date | null, except: readonly string[]): Promise<Due[]> {
  const { nextAt, leasedUntil } = evaluationTracks[track];
  const isFree = `(${leasedUntil} IS NULL OR ${leasedUntil} <= now()) AND organization_id <> ALL($3::uuid[])`;
  const { rows } = await pool().query<Due>(
    `WITH due AS MATERIALIZED (
       SELECT organization_id, ${nextAt}, horizon.at FROM alert_evaluations e
       CROSS JOIN (SELECT coalesce($4::timestamptz, now() + make_interval(secs => ${AHEAD_SECONDS})) AS at) AS horizon
       WHERE ${nextAt} <= horizon.at AND ${isFree} AND ${where}
         AND EXISTS (SELECT FROM alert_evaluations WHERE ${nextAt} <= now() AND ${isFree})
       ORDER BY ${nextAt} LIMIT $1 FOR UPDATE OF e SKIP LOCKED
     )
     UPDATE alert_evaluations e
     SET ${nextAt} = now() + make_interval(secs => $2), ${leasedUntil} = now() + make_interval(secs => $2)
     FROM due WHERE e.organization_id = due.organization_id
     RETURNING e.organization_id, e.${leasedUntil} AS leased_until, due.${nextAt} AS due_at, e.events_place AS place, due.at AS horizon`,
    [batch, PASS_LEASE_SECONDS, except, horizon],
  );
  return rows;
}

async function release(
  { track, pause }: Pass,
  due: readonly Due[],
  unchanged: ReadonlyMap<string, LogCursor | null>,
): Promise<void> {
  const { nextAt, leasedUntil } = evaluationTracks[track];
  const places = due.map(({ organization_id }) => unchanged.get(organization_id) ?? null);
  await pool().query(
    `WITH passed AS MATERIALIZED (
       SELECT e.organization_id, p.due_at, p.is_unchanged, p.place FROM alert_evaluations e
       JOIN unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::boolean[], $5::jsonb[])
         AS p (organization_id, until, due_at, is_unchanged, place) USING (organization_id)
       WHERE e.${leasedUntil} = p.until ORDER BY e.organization_id FOR UPDATE OF e
     )
     UPDATE alert_evaluations e SET ${leasedUntil} = NULL, events_place = coalesce(passed.place, events_place),
       ${nextAt} = CASE WHEN NOT is_unchanged THEN least(${nextAt}, passed.due_at, now()) WHEN ${nextAt} < ${leasedUntil} THEN ${nextAt}
         ELSE now() + make_interval(secs => ${pause}) END
     FROM passed WHERE e.organization_id = passed.organization_id`,
    [
      due.map(({ organization_id }) => organization_id),
      due.map(({ leased_until }) => leased_until.toISOString()),
      due.map(({ due_at }) => due_at.toISOString()),
      due.map(({ organization_id }) => unchanged.has(organization_id)),
      places.map((place) => (place === null ? null : JSON.stringify(place))),
    ],
  );
}
