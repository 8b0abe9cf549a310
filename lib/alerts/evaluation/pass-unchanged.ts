import { type EvaluationTrack, evaluationTracks } from "@/lib/alert-schedule/evaluation-tracks";
import { toState } from "@/lib/alerts/alert-row";
import type { AlertState } from "@/lib/alerts/alert-state";
import { evaluate, REOPEN_MS } from "@/lib/alerts/evaluation/evaluate";
import { factsOf } from "@/lib/alerts/evaluation/facts";
import { isMassFailure } from "@/lib/alerts/evaluation/mass-failure";
import { eventsPause, pauses, retryRelease, STATE_PAUSE } from "@/lib/alerts/evaluation/schedule";
import { type Rule, toRule } from "@/lib/alerts/rules/alert-rule";
import { type Condition, conditionTypes, isAboutEvents } from "@/lib/alerts/rules/conditions";
import { type Resources, readResourcesOf } from "@/lib/alerts/situation/read-situation";
import { NO_LOG_FACTS } from "@/lib/alerts/situation/situation";
import { type LogCursor, quietLogs } from "@/lib/audit-logs/read/new-events";
import { inTransaction, pool, type Send, sendIn } from "@/lib/db/app";
import type { Alert as AlertRow, AlertRule as RuleRow } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import { fieldsOf } from "@/lib/db/rows/change-row";
import { isAway } from "@/lib/db/unavailable";
import { groupBy } from "@/lib/group-by";
import { count } from "@/lib/metrics/metrics";
import { processSingleton } from "@/lib/process-singleton";
import { mapInTurns } from "@/lib/turns";

/** Seconds: shorter than the lease of one evaluation, because it holds up hundreds if the process ends. */
const PASS_LEASE_SECONDS = 30;
/** Evaluations that are due so soon are made with those that are due, in seconds: the more at once, the less each costs. */
const AHEAD_SECONDS = 5;
/** Rows of a kind, such as alerts or findings, up to which an organization is looked at with others. */
const MOST_ROWS = 500;
/** How long one statement may take, and all of a look at the monitoring database, in milliseconds. */
const STATEMENT_MS = 5_000;
const LOOK_MS = 10_000;
/** How long an organization whose evaluation changes something is evaluated by itself, and one of a look that failed, in milliseconds. */
const CHANGED_MS = 60_000;
const FAILED_MS = 600_000;

interface Due {
  organization_id: string;
  leased_until: Date;
  /** Since when it is due. */
  due_at: Date;
  place: LogCursor;
  /** What was due before was leased. */
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
  /** The organizations whose evaluation would change nothing, with the new place in the log if there is one. */
  unchanged: (due: readonly Due[]) => Promise<ReadonlyMap<string, LogCursor | null>>;
}

type Type = Condition["type"];

const aboutEvents = conditionTypes.filter(isAboutEvents);
const aboutState = conditionTypes.filter((type) => !isAboutEvents(type));

/** Whether the organization of the evaluation `e` has an enabled rule of one of these types, in SQL. */
const hasRule = (types: readonly Type[]) => `EXISTS (
    SELECT FROM alert_rules r WHERE r.organization_id = e.organization_id AND enabled
      AND condition ->> 'type' IN (${types.map((type) => `'${type}'`).join(", ")})
  )`;

/**
 * Ends the due evaluations of rules about monitored state that would change nothing, which are most, with a few statements for a hundred
 * organizations. Returns when it has found others, which stay due, or nothing is due. Rules about response times are left out, because
 * each is a query of many checks. Rejects if the database is away.
 */
export function passUnchangedState(signal: AbortSignal): Promise<void> {
  const where = `NOT ${hasRule(["latency"])}`;
  const unchanged = (due: readonly Due[]) => unchangedState(due.map(({ organization_id }) => organization_id));
  return pass({ track: "state", batch: 100, where, pause: STATE_PAUSE, unchanged }, signal);
}

/** The same for rules about audit events, where an organization has none but about security events, and its log has no new one. */
export function passUnchangedEvents(signal: AbortSignal): Promise<void> {
  const others = aboutEvents.filter((type) => type !== "security_event");
  const where = `events_place IS NOT NULL AND events_counted_at IS NULL AND ${hasRule(["security_event"])} AND NOT ${hasRule(others)}`;
  return pass(
    { track: "events", batch: 500, where, pause: eventsPause(pauses.watching), unchanged: unchangedEvents },
    signal,
  );
}

async function pass(of: Pass, signal: AbortSignal): Promise<void> {
  /** Until when organizations are evaluated by themselves, as of `performance.now()`. */
  const apart = processSingleton(`alerts.evaluated-apart-${of.track}`, () => new Map<string, number>());
  for (const [id, until] of apart) if (until <= performance.now()) apart.delete(id);
  // What is passed is due later than that, by the clock of the database, so each organization is looked at once.
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

/**
 * The organizations in which the evaluation of rules about monitored state would change nothing now. Throws the driver's errors, and
 * P2028 if it takes too long.
 */
export async function unchangedState(ids: readonly string[]): Promise<Map<string, null>> {
  const now = new Date();
  const held = new Map<string, boolean>();
  for (const id of ids) held.set(id, await isMassFailure(id));
  const { alertsOf, rulesOf, resourcesOf } = await look(async (ask) => {
    // Before the resources: a problem that ends in between shows as an alert without a cause, or awaits its evaluation.
    const [alertsOf, rules, ended] = await Promise.all([
      readAlerts(ask, ids, aboutState, now),
      readRules(ask, ids, aboutState),
      withEnded(ask, ids),
    ]);
    const rulesOf = new Map(
      ids.flatMap((id) => {
        const isPassable = !ended.has(id) && (alertsOf.get(id)?.length ?? 0) < MOST_ROWS;
        return isPassable ? [[id, rules.get(id) ?? []] as const] : [];
      }),
    );
    const enabled = new Map([...rulesOf].map(([id, mine]) => [id, mine.filter((rule) => rule.enabled)]));
    return { alertsOf, rulesOf, resourcesOf: await readResourcesOf(ask, enabled, now, MOST_ROWS) };
  });
  const passed = await mapInTurns([...rulesOf], ([id, rules]) => {
    const resources = resourcesOf(id);
    const isWhole = Object.values(resources).every(({ length }) => length < MOST_ROWS);
    const isUnchanged =
      isWhole && changesNothing(id, rules, resources, alertsOf.get(id) ?? [], now, held.get(id) ?? false);
    return isUnchanged ? [[id, null] as const] : [];
  });
  return new Map(passed.flat());
}

async function unchangedEvents(due: readonly Due[]): Promise<Map<string, LogCursor>> {
  const now = new Date();
  const quiet = await quietLogs(new Map(due.map(({ organization_id, place }) => [organization_id, place])));
  const { alertsOf, rulesOf } = await look(async (ask) => {
    const alertsOf = await readAlerts(ask, [...quiet.keys()], aboutEvents, now);
    return { alertsOf, rulesOf: await readRules(ask, [...alertsOf.keys()], aboutEvents) };
  });
  const resources: Resources = { findings: [], issuances: [], validities: [], incidents: [], slow: [] };
  const passed = await mapInTurns([...quiet], ([id, place]) => {
    const alerts = alertsOf.get(id) ?? [];
    const isUnchanged =
      alerts.length < MOST_ROWS && changesNothing(id, rulesOf.get(id) ?? [], resources, alerts, now, false);
    return isUnchanged ? [[id, place] as const] : [];
  });
  return new Map(passed.flat());
}

/** Reads of the monitoring database within the time limits. */
function look<Found>(read: (ask: Send) => Promise<Found>): Promise<Found> {
  return inTransaction(
    async (tx) => {
      const ask = sendIn(tx);
      const limit = ask({ text: "SELECT set_config('statement_timeout', $1, true)", values: [`${STATEMENT_MS}`] });
      const [found] = await Promise.all([read(ask), limit]);
      return found;
    },
    { timeout: LOOK_MS },
  );
}

interface KnownAlert extends AlertState {
  ruleId: string;
}

/** Whether the evaluation of these rules would change no alert. An error is left to the evaluation of this organization. */
function changesNothing(
  organizationId: string,
  rules: readonly Rule[],
  resources: Resources,
  alerts: readonly KnownAlert[],
  now: Date,
  isHeld: boolean,
): boolean {
  const situation = { organizationId, now: now.getTime(), ...resources, ...NO_LOG_FACTS };
  const circumstances = { now: now.getTime(), isMassFailure: isHeld, newId: () => "" };
  const known = groupBy(alerts, ({ ruleId }) => ruleId);
  try {
    return rules.every((rule) => {
      const facts = rule.enabled ? factsOf(rule, situation) : [];
      return evaluate(rule, facts, known.get(rule.id) ?? [], circumstances).length === 0;
    });
  } catch {
    return false;
  }
}

/** The alerts of rules of these types that evaluations need, by organization: up to MOST_ROWS of each. Without locks: they are compared. */
async function readAlerts(ask: Send, ids: readonly string[], types: readonly Type[], now: Date) {
  const rows = await ask<AlertRow>({
    text: `SELECT found.* FROM unnest($1::uuid[]) AS o (id) CROSS JOIN LATERAL (
        SELECT ${fieldsOf.alerts} FROM alerts WHERE organization_id = o.id AND (live OR resolved_at > $2) AND rule_id IN (
          SELECT r.id FROM alert_rules r WHERE r.organization_id = o.id AND r.condition ->> 'type' = ANY($3)
        ) ORDER BY id LIMIT ${MOST_ROWS}
      ) AS found`,
    values: [ids, new Date(now.getTime() - REOPEN_MS), types],
  });
  const found = groupBy(rows, ({ organizationId }) => organizationId);
  const known = (row: AlertRow): KnownAlert => ({ ...toState(row), ruleId: row.ruleId });
  return new Map([...found].map(([id, mine]) => [id, mine.map(known)]));
}

async function readRules(ask: Send, ids: readonly string[], types: readonly Type[]): Promise<Map<string, Rule[]>> {
  const rows = await ask<RuleRow>({
    text: `SELECT ${fieldsOf.alert_rules} FROM alert_rules WHERE organization_id = ANY($1::uuid[]) AND condition ->> 'type' = ANY($2)`,
    values: [ids, types],
  });
  const found = groupBy(rows, ({ organizationId }) => organizationId);
  return new Map([...found].map(([id, mine]) => [id, mine.map(toRule)]));
}

/** The organizations with findings or incidents that ended and that no evaluation has seen. */
async function withEnded(ask: Send, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ask<{ id: string }>({
    text: `SELECT o.id FROM unnest($1::uuid[]) AS o (id)
      WHERE EXISTS (SELECT FROM certificate_findings WHERE organization_id = o.id AND awaits_evaluation)
        OR EXISTS (SELECT FROM uptime_incidents WHERE organization_id = o.id AND awaits_evaluation)`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
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
