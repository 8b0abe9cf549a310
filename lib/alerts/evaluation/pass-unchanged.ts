import { type EvaluationTrack, evaluationTracks } from "@/lib/alert-schedule/evaluation-tracks";
import { toState } from "@/lib/alerts/alert-row";
import type { AlertState } from "@/lib/alerts/alert-state";
import { evaluate, REOPEN_MS } from "@/lib/alerts/evaluation/evaluate";
import { factsOf } from "@/lib/alerts/evaluation/facts";
import { isMassFailure } from "@/lib/alerts/evaluation/mass-failure";
import { HAS_ALERTS, pauses, retryRelease, STATE_PAUSE } from "@/lib/alerts/evaluation/schedule";
import { type Rule, toRule } from "@/lib/alerts/rules/alert-rule";
import { type Resources, readResourcesOf } from "@/lib/alerts/situation/read-situation";
import { NO_LOG_FACTS } from "@/lib/alerts/situation/situation";
import { type LogCursor, quietLogs } from "@/lib/audit-logs/read/new-events";
import { inTransaction, pool, type Send, send, sendIn } from "@/lib/db/app";
import type { Alert as AlertRow, AlertRule as RuleRow } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import { fieldsOf } from "@/lib/db/rows/change-row";
import { groupBy } from "@/lib/group-by";

/** Seconds: shorter than a lease of one, because it holds up hundreds if the process ends. */
const LEASE_SECONDS = 30;
/** Evaluations that are due so soon are made with those that are due, in seconds: the more at once, the less each costs. */
const AHEAD_SECONDS = 5;
/** Alerts, findings and so on of an organization. One with as many is evaluated by itself, so that it takes no time of others. */
const MOST = 500;
/** How long one statement may take, in milliseconds. */
const STATEMENT_MS = 5_000;

interface Due {
  organization_id: string;
  leased_until: Date;
  /** Since when it is due. */
  due_at: Date;
  place: LogCursor;
}

/** The rules of a track, as a pass sees them. */
interface Pass {
  track: EvaluationTrack;
  /** Organizations at a time. */
  organizations: number;
  /** Which evaluations `e` can be passed, in SQL. */
  where: string;
  /** Seconds until the next evaluation of `e`, in SQL. */
  pause: string;
  /** The organizations whose evaluation would change nothing, with the new place in the log if there is one. */
  unchanged: (due: readonly Due[]) => Promise<ReadonlyMap<string, LogCursor | null>>;
}

const hasRule = (types: string) => `EXISTS (
    SELECT FROM alert_rules r WHERE r.organization_id = e.organization_id AND enabled AND condition ->> 'type' IN (${types})
  )`;

/**
 * Ends the due evaluations of rules about monitored state that would change nothing, which are most, with a few statements for a hundred
 * organizations. The others stay due. Rules about response times are left out, because each is a query of many checks.
 */
export function passUnchangedState(signal: AbortSignal): Promise<void> {
  const where = `NOT ${hasRule("'latency'")}`;
  const unchanged = (due: readonly Due[]) => unchangedState(due.map(({ organization_id }) => organization_id));
  return pass({ track: "state", organizations: 100, where, pause: STATE_PAUSE, unchanged }, signal);
}

/** The same for rules about audit events, where an organization has none but about security events, and its log has no new one. */
export function passUnchangedEvents(signal: AbortSignal): Promise<void> {
  const where = `events_place IS NOT NULL AND events_counted_at IS NULL AND ${hasRule("'security_event'")}
    AND NOT ${hasRule("'event_count', 'log_integrity', 'destination_lag'")}`;
  const pause = `CASE WHEN ${HAS_ALERTS} THEN ${pauses.alerted} ELSE ${pauses.watching} END`;
  return pass({ track: "events", organizations: 500, where, pause, unchanged: unchangedEvents }, signal);
}

async function pass(of: Pass, signal: AbortSignal): Promise<void> {
  const others: string[] = [];
  for (let isMore = true; isMore && !signal.aborted; ) {
    const due = await lease(of, others);
    if (due.length === 0) return;
    const unchanged = await of.unchanged(due).catch((error: unknown) => {
      logFailure(`could not look for evaluations that change nothing (${of.track})`, error);
      return new Map<string, null>();
    });
    await retryRelease(() => release(of, due, unchanged), LEASE_SECONDS, signal);
    others.push(...due.flatMap(({ organization_id: id }) => (unchanged.has(id) ? [] : [id])));
    isMore = due.length === of.organizations;
  }
}

/** The organizations in which the evaluation of rules about monitored state would change nothing now. Throws the driver's errors. */
export async function unchangedState(ids: readonly string[]): Promise<Map<string, null>> {
  const now = new Date();
  const held = new Map<string, boolean>();
  for (const id of ids) held.set(id, await isMassFailure(id));
  return inTransaction(async (tx) => {
    const sent = sendIn(tx);
    const [, alertsOf, rulesOf, ended] = await Promise.all([
      sent({ text: "SELECT set_config('statement_timeout', $1, true)", values: [`${STATEMENT_MS}`] }),
      readAlerts(sent, ids, now),
      readRules(sent, ids),
      withEnded(sent, ids),
    ]);
    const rulesAboutState = new Map(
      ids.flatMap((id) => {
        const isPassable = !ended.has(id) && (alertsOf.get(id)?.length ?? 0) < MOST;
        return isPassable ? [[id, (rulesOf.get(id) ?? []).filter(({ isOfEvents }) => !isOfEvents)] as const] : [];
      }),
    );
    const enabled = new Map([...rulesAboutState].map(([id, rules]) => [id, rules.filter((rule) => rule.enabled)]));
    const resourcesOf = await readResourcesOf(sent, enabled, now, MOST);
    const isUnchanged = ([id, rules]: readonly [string, readonly Rule[]]) => {
      const resources = resourcesOf(id);
      const isWhole = Object.values(resources).every(({ length }) => length < MOST);
      return isWhole && changesNothing(id, rules, resources, alertsOf.get(id) ?? [], now, held.get(id) ?? false);
    };
    return new Map([...rulesAboutState].filter(isUnchanged).map(([id]) => [id, null]));
  });
}

async function unchangedEvents(due: readonly Due[]): Promise<Map<string, LogCursor>> {
  const now = new Date();
  const quiet = await quietLogs(new Map(due.map(({ organization_id, place }) => [organization_id, place])));
  const alertsOf = await readAlerts(send, [...quiet.keys()], now);
  const rulesOf = await readRules(send, [...alertsOf.keys()]);
  const resources: Resources = { findings: [], issuances: [], validities: [], incidents: [], slow: [] };
  const isUnchanged = ([id]: readonly [string, LogCursor]) => {
    const alerts = alertsOf.get(id) ?? [];
    const rules = (rulesOf.get(id) ?? []).filter(({ isOfEvents }) => isOfEvents);
    return alerts.length < MOST && changesNothing(id, rules, resources, alerts, now, false);
  };
  return new Map([...quiet].filter(isUnchanged));
}

/** Whether the evaluation of these rules would change no alert. */
function changesNothing(
  organizationId: string,
  rules: readonly Rule[],
  resources: Resources,
  alerts: readonly (AlertState & { ruleId: string })[],
  now: Date,
  isHeld: boolean,
): boolean {
  const situation = { organizationId, now: now.getTime(), ...resources, ...NO_LOG_FACTS };
  const circumstances = { now: now.getTime(), isMassFailure: isHeld, newId: () => "" };
  return rules.every((rule) => {
    const facts = rule.enabled ? factsOf(rule, situation) : [];
    const known = alerts.filter(({ ruleId }) => ruleId === rule.id);
    return evaluate(rule, facts, known, circumstances).length === 0;
  });
}

/** The alerts that evaluations need, by organization: up to MOST of each. Without locks, because they are only compared. */
async function readAlerts(send: Send, ids: readonly string[], now: Date) {
  const rows = await send<AlertRow>({
    text: `SELECT found.* FROM unnest($1::uuid[]) AS o (id) CROSS JOIN LATERAL (
        SELECT ${fieldsOf.alerts} FROM alerts WHERE organization_id = o.id AND (live OR resolved_at > $2) ORDER BY id LIMIT ${MOST}
      ) AS found`,
    values: [ids, new Date(now.getTime() - REOPEN_MS)],
  });
  const found = groupBy(rows, ({ organizationId }) => organizationId);
  return new Map([...found].map(([id, mine]) => [id, mine.map((row) => ({ ...toState(row), ruleId: row.ruleId }))]));
}

async function readRules(send: Send, ids: readonly string[]): Promise<Map<string, Rule[]>> {
  const text = `SELECT ${fieldsOf.alert_rules} FROM alert_rules WHERE organization_id = ANY($1::uuid[])`;
  const rows = groupBy(await send<RuleRow>({ text, values: [ids] }), ({ organizationId }) => organizationId);
  return new Map([...rows].map(([id, mine]) => [id, mine.map(toRule)]));
}

/** The organizations with findings or incidents that ended and that no evaluation has seen. */
async function withEnded(send: Send, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await send<{ id: string }>({
    text: `SELECT o.id FROM unnest($1::uuid[]) AS o (id)
      WHERE EXISTS (SELECT FROM certificate_findings WHERE organization_id = o.id AND awaits_evaluation)
        OR EXISTS (SELECT FROM uptime_incidents WHERE organization_id = o.id AND awaits_evaluation)`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Schedules the next evaluation after the lease, as for others, so that a wake-up meanwhile is visible. */
async function lease({ track, organizations, where }: Pass, except: readonly string[]): Promise<Due[]> {
  const { nextAt, leasedUntil } = evaluationTracks[track];
  const isFree = `(${leasedUntil} IS NULL OR ${leasedUntil} <= now())`;
  const { rows } = await pool().query<Due>(
    `WITH due AS MATERIALIZED (
       SELECT organization_id, ${nextAt} FROM alert_evaluations e
       WHERE ${nextAt} <= now() + make_interval(secs => $4) AND ${isFree} AND ${where} AND organization_id <> ALL($3::uuid[])
         AND EXISTS (SELECT FROM alert_evaluations WHERE ${nextAt} <= now() AND ${isFree} AND organization_id <> ALL($3::uuid[]))
       ORDER BY ${nextAt} LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE alert_evaluations e
     SET ${nextAt} = now() + make_interval(secs => $2), ${leasedUntil} = now() + make_interval(secs => $2)
     FROM due WHERE e.organization_id = due.organization_id
     RETURNING e.organization_id, e.${leasedUntil} AS leased_until, due.${nextAt} AS due_at, e.events_place AS place`,
    [organizations, LEASE_SECONDS, except, AHEAD_SECONDS],
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
