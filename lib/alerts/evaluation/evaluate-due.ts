import { setTimeout as delay } from "node:timers/promises";
import { type EvaluationTrack, evaluationTracks } from "@/lib/alert-schedule/evaluation-tracks";
import type { AlertState } from "@/lib/alerts/alert-state";
import { applyRule, lockEvaluation, readLive } from "@/lib/alerts/evaluation/apply-rule";
import { factsOf } from "@/lib/alerts/evaluation/facts";
import { readFlaggedEvents, startingAt, wantedFlags } from "@/lib/alerts/evaluation/flagged-events";
import { isMassFailure } from "@/lib/alerts/evaluation/mass-failure";
import { type Ended, type FlaggedEvents, readSituation, takeEnded } from "@/lib/alerts/evaluation/situation";
import { stagesOf } from "@/lib/alerts/evaluation/stages";
import { type Rule, toRule } from "@/lib/alerts/rules/alert-rule";
import type { LogCursor } from "@/lib/audit-logs/read/new-events";
import { db, pool, type Transaction } from "@/lib/db/app";
import { Prisma, type AlertRule as RuleRow } from "@/lib/db/generated/app/client";
import { isAway, isUnavailable } from "@/lib/db/unavailable";
import { runLeasedWork } from "@/lib/jobs/leased-work";

/**
 * Seconds between two evaluations of an organization: while it has alerts, while it watches anything, and else. What rules are
 * about wakes them besides (wake.ts), so these are for what only time brings, and for news that was not told.
 */
const pauses = { alerted: 15, watching: 60, idle: 600 };
/** Seconds that one process may take, before another one does it again. One that fails is tried again after them. */
const LEASE_SECONDS = 90;
const TRANSACTION_TIMEOUTS = { maxWait: 10_000, timeout: 60_000 };
/** Milliseconds between two attempts to give back a lease. */
const GIVE_BACK_PAUSE_MS = 1_000;
/** Organizations at once, each once. */
const SLOTS = { total: 4, perOrganization: 1 };

/** An evaluation that this process may do now. */
interface Due {
  organizationId: string;
  leasedUntil: Date;
  /** How far the audit log was read; null while no rule is about events. */
  place: LogCursor | null;
}

/** Evaluates the rules about what is watched, of every organization that is due. Several processes share the work by leases. */
export function evaluateStateDue(signal: AbortSignal): Promise<void> {
  return evaluateDue("state", evaluateState, signal);
}

/** Evaluates the rules about audit events, of every organization that is due. Nobody but them waits for the audit database. */
export function evaluateEventsDue(signal: AbortSignal): Promise<void> {
  return evaluateDue("events", evaluateEvents, signal);
}

function evaluateDue(
  track: EvaluationTrack,
  evaluate: (due: Due) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const work = async (due: Due) => {
    try {
      await evaluate(due);
    } catch (error) {
      await giveBackSurely(track, due, isAway(error), signal);
      throw error;
    }
  };
  const lease = (most: number) => leaseDue(track, most);
  const unused = { idOf: () => "", write: async () => {} };
  return runLeasedWork({ what: `alert evaluation (${track})`, slots: SLOTS, lease, work, ...unused }, signal);
}

/** The next evaluation is put behind the lease, so that whoever wakes the rules meanwhile can be seen: they bring it forward. */
async function leaseDue(track: EvaluationTrack, most: number): Promise<Due[]> {
  const { nextAt, leasedUntil } = evaluationTracks[track];
  const { rows } = await pool().query<Due>(
    `WITH due AS MATERIALIZED (
       SELECT organization_id FROM alert_evaluations
       WHERE ${nextAt} <= now() AND (${leasedUntil} IS NULL OR ${leasedUntil} <= now())
       ORDER BY ${nextAt} LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE alert_evaluations e
     SET ${nextAt} = now() + make_interval(secs => $2), ${leasedUntil} = now() + make_interval(secs => $2)
     FROM due WHERE e.organization_id = due.organization_id
     RETURNING e.organization_id AS "organizationId", e.${leasedUntil} AS "leasedUntil", e.events_place AS place`,
    [most, LEASE_SECONDS],
  );
  return rows;
}

/** One that failed is not due again at once, or it would stand before all others; but it is once its database is back. */
async function giveBack(track: EvaluationTrack, { organizationId, leasedUntil }: Due, atOnce: boolean): Promise<void> {
  const { nextAt, leasedUntil: lease } = evaluationTracks[track];
  await pool().query(
    `UPDATE alert_evaluations SET ${lease} = NULL, ${nextAt} = CASE WHEN $3 THEN now() ELSE ${nextAt} END
     WHERE organization_id = $1 AND ${lease} = $2`,
    [organizationId, leasedUntil, atOnce],
  );
}

/** A database that is away cannot take it back: tried until it can, or the lease is over. */
async function giveBackSurely(track: EvaluationTrack, due: Due, atOnce: boolean, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + LEASE_SECONDS * 1_000;
  while (performance.now() < giveUpAt) {
    const error = await giveBack(track, due, atOnce).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!isUnavailable(error) || signal.aborted) return;
    await delay(GIVE_BACK_PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

/** One organization, in one transaction: alerts, timelines and messages stand or fall together. */
async function evaluateState(due: Due): Promise<void> {
  const { organizationId } = due;
  const isHeld = await isMassFailure(organizationId);
  await db().$transaction(async (tx) => {
    await lockEvaluation(tx, organizationId);
    const rules = (await readRules(tx, organizationId)).filter(({ isOfEvents }) => !isOfEvents);
    await applyRules(tx, organizationId, rules, [], isHeld, () => takeEnded(tx, organizationId));
    await end(tx, "state", due, {
      pause: Prisma.sql`CASE
        WHEN EXISTS (SELECT FROM alerts WHERE organization_id = e.organization_id AND live) THEN ${pauses.alerted}::integer
        WHEN EXISTS (SELECT FROM certificate_endpoints WHERE organization_id = e.organization_id)
          OR EXISTS (SELECT FROM uptime_monitors WHERE organization_id = e.organization_id)
          OR EXISTS (SELECT FROM certificates WHERE organization_id = e.organization_id) THEN ${pauses.watching}::integer
        ELSE ${pauses.idle}::integer END`,
      place: Prisma.sql`e.events_place`,
    });
  }, TRANSACTION_TIMEOUTS);
}

/** The place in the log stands or falls with the alerts. The log is read before the transaction: that may take long. */
async function evaluateEvents(due: Due): Promise<void> {
  const { organizationId } = due;
  const rows = (await db().alertRule.findMany({ where: { organizationId } })).filter((row) => toRule(row).isOfEvents);
  const enabled = rows.filter((row) => row.enabled);
  const begun = startOf(enabled);
  const { events, place, isMore } =
    begun === null || due.place === null
      ? { events: [], place: begun, isMore: begun !== null }
      : await readFlaggedEvents(organizationId, wantedFlags(enabled.map(toRule)), due.place);
  await db().$transaction(async (tx) => {
    await lockEvaluation(tx, organizationId);
    const rules = (await readRules(tx, organizationId)).filter(({ isOfEvents }) => isOfEvents);
    await applyRules(tx, organizationId, rules, events, false, async () => ({ findings: [], incidents: [] }));
    const seconds = isMore ? 0 : place === null ? pauses.idle : pauses.watching;
    await end(tx, "events", due, {
      pause: Prisma.sql`CASE
        WHEN EXISTS (SELECT FROM alerts WHERE organization_id = e.organization_id AND live)
          THEN least(${seconds}::integer, ${pauses.alerted}::integer)
        ELSE ${seconds}::integer END`,
      place: Prisma.sql`${place === null ? null : JSON.stringify(place)}::jsonb`,
    });
  }, TRANSACTION_TIMEOUTS);
}

/** Rules are about what happens once they are enabled. Kept before the log is asked, so that it may be away meanwhile. */
function startOf(enabled: readonly RuleRow[]): LogCursor | null {
  return enabled.length === 0 ? null : startingAt(Math.max(...enabled.map(({ updatedAt }) => updatedAt.getTime())));
}

async function readRules(tx: Transaction, organizationId: string): Promise<Rule[]> {
  return (await tx.alertRule.findMany({ where: { organizationId } })).map(toRule);
}

async function applyRules(
  tx: Transaction,
  organizationId: string,
  rules: readonly Rule[],
  events: readonly FlaggedEvents[],
  isHeld: boolean,
  readEnded: () => Promise<Ended>,
): Promise<void> {
  const now = new Date();
  const enabled = rules.filter((rule) => rule.enabled);
  const situation = await readSituation(tx, organizationId, enabled, events, now);
  const stages = stagesOf(situation, await readEnded());
  const alerts = await readLive(tx, organizationId, now);
  for (const rule of rules) {
    let known: readonly AlertState[] = alerts.get(rule.id) ?? [];
    for (const stage of stages) {
      const facts = rule.enabled ? factsOf(rule, stage) : [];
      const circumstances = { now, isMassFailure: isHeld, isPast: stage !== stages.at(-1) };
      known = await applyRule(tx, organizationId, rule, facts, known, circumstances);
    }
  }
}

/** Ends the lease, as the last statement: whoever wakes the rules waits for nothing longer. Throws when another process has it. */
async function end(
  tx: Transaction,
  track: EvaluationTrack,
  { organizationId, leasedUntil }: Due,
  { pause, place }: { pause: Prisma.Sql; place: Prisma.Sql },
): Promise<void> {
  const columns = evaluationTracks[track];
  const [nextAt, lease] = [Prisma.raw(columns.nextAt), Prisma.raw(columns.leasedUntil)];
  const ended = await tx.$executeRaw`
    UPDATE alert_evaluations e SET ${lease} = NULL, events_place = ${place},
      ${nextAt} = CASE WHEN ${nextAt} < ${lease} THEN ${nextAt} ELSE now() + make_interval(secs => ${pause}) END
    WHERE organization_id = ${organizationId}::uuid AND ${lease} = ${leasedUntil}`;
  if (ended === 0) throw new Error("the lease of the evaluation is over");
}
