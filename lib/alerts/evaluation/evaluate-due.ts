import { type EvaluationTrack, evaluationTracks } from "@/lib/alert-schedule/evaluation-tracks";
import type { AlertState } from "@/lib/alerts/alert-state";
import { applyRule, lockEvaluation, lockLive, readLive } from "@/lib/alerts/evaluation/apply-rule";
import { changesNothing } from "@/lib/alerts/evaluation/changes-nothing";
import { countForRules } from "@/lib/alerts/evaluation/count-events";
import { factsOf, unjudgedSubjects } from "@/lib/alerts/evaluation/facts";
import { type Due, leaseDue, releaseLease } from "@/lib/alerts/evaluation/leases";
import { isMassFailure } from "@/lib/alerts/evaluation/mass-failure";
import { passUnchangedEvents, passUnchangedState } from "@/lib/alerts/evaluation/pass-unchanged";
import {
  eventsPause,
  HAS_ALERTS,
  LEASE_SECONDS,
  pauses,
  retryRelease,
  STATE_PAUSE,
} from "@/lib/alerts/evaluation/schedule";
import { stagesOf } from "@/lib/alerts/evaluation/stages";
import { type Rule, toRule } from "@/lib/alerts/rules/alert-rule";
import type { Condition } from "@/lib/alerts/rules/conditions";
import { readDestinationLags } from "@/lib/alerts/situation/destination-lags";
import { readFlaggedEvents, startingAt, wantedFlags } from "@/lib/alerts/situation/flagged-events";
import { readLogFaults } from "@/lib/alerts/situation/log-faults";
import { readSituation, takeEnded } from "@/lib/alerts/situation/read-situation";
import {
  type Ended,
  isRead,
  type Latencies,
  type LogFacts,
  NO_LATENCIES,
  NO_LOG_FACTS,
  type ReadBefore,
} from "@/lib/alerts/situation/situation";
import { readSlow } from "@/lib/alerts/situation/slow-monitors";
import type { LogCursor } from "@/lib/audit-logs/read/new-events";
import { db, inTransaction, sendIn, type Transaction } from "@/lib/db/app";
import { Prisma, type AlertRule as RuleRow } from "@/lib/db/generated/app/client";
import { isAway } from "@/lib/db/unavailable";
import { runLeasedWork } from "@/lib/jobs/leased-work";
import { countDueTasks } from "@/lib/jobs/tasks";

const LIMITS = { timeout: 60_000 };
/** Concurrent evaluations, one per organization. */
const SLOTS = { total: 4, perOrganization: 1 };

for (const track of ["state", "events"] as const) {
  const { nextAt, leasedUntil } = evaluationTracks[track];
  countDueTasks(
    `alert_evaluation_${track}`,
    `SELECT e.${nextAt} AS due_at FROM alert_evaluations e WHERE e.organization_id = o.id AND e.${nextAt} <= now()
       AND (e.${leasedUntil} IS NULL OR e.${leasedUntil} <= now())`,
  );
}

/** Evaluates rules about monitored state, for every due organization. Leases divide the work among several processes. */
export function evaluateStateDue(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  return evaluateDue("state", passUnchangedState, evaluateState, signal, onProgress);
}

/** Evaluates rules about audit events, for every due organization. Only these rules wait for the audit database. */
export function evaluateEventsDue(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  return evaluateDue("events", passUnchangedEvents, evaluateEvents, signal, onProgress);
}

function evaluateDue(
  track: EvaluationTrack,
  pass: (signal: AbortSignal) => Promise<void>,
  evaluate: (due: Due) => Promise<void>,
  signal: AbortSignal,
  onProgress?: () => void,
): Promise<void> {
  const work = async (due: Due) => {
    try {
      await evaluate(due);
    } catch (error) {
      await retryRelease(() => releaseLease(track, due, isAway(error)), LEASE_SECONDS, signal);
      throw error;
    }
  };
  // Before each lease, because a long evaluation may run while others become due.
  const lease = async (most: number, running: readonly Due[]) => {
    await pass(signal);
    return leaseDue(track, most, running);
  };
  const unused = { idOf: () => "", write: async () => {} };
  return runLeasedWork(
    { what: `alert evaluation (${track})`, kind: `alert_evaluation_${track}`, slots: SLOTS, lease, work, ...unused },
    signal,
    onProgress,
  );
}

const hasAlerts = Prisma.raw(HAS_ALERTS);

/**
 * Evaluates an organization in one transaction, so that alerts, timelines and messages are consistent. Reads response times before it,
 * because that may take long, and the other rules do not need them.
 */
async function evaluateState(due: Due): Promise<void> {
  const { organizationId } = due;
  const rows = await db().alertRule.findMany({ where: { organizationId, enabled: true } });
  const latencies = await readSlow(organizationId, rows.map(toRule), new Date());
  // Last, because incidents may open while response times are read.
  const isHeld = await isMassFailure(organizationId);
  await inTransaction(async (tx) => {
    await applyStateRules(tx, organizationId, latencies, isHeld);
    await end(tx, "state", due, {
      pause: Prisma.raw(STATE_PAUSE),
      progress: Prisma.sql`events_place = e.events_place`,
    });
  }, LIMITS);
}

/** Updates alerts and the position in the log together. Reads the log before the transaction, because that may take long. */
async function evaluateEvents(due: Due): Promise<void> {
  const { organizationId } = due;
  const rows = (await db().alertRule.findMany({ where: { organizationId } })).filter((row) => toRule(row).isOfEvents);
  const enabled = rows.filter((row) => row.enabled);
  const flagged = enabled.filter((row) => toRule(row).condition.type === "security_event");
  const begun = startOf(flagged);
  const { events, place, isMore } =
    begun === null || due.place === null
      ? { events: [], place: begun, isMore: begun !== null }
      : await readFlaggedEvents(organizationId, wantedFlags(flagged.map(toRule)), due.place);
  const { eventCounts, countedAt } = await countForRules(organizationId, enabled, due.countedAt);
  const conditions = enabled.map((row) => toRule(row).condition);
  const logFaults = await readLogFaults(organizationId, conditions);
  const destinationLags = await readDestinationLags(organizationId, conditions);
  const isWatching = place !== null || conditions.some(({ type }) => isWatched(type));
  const seconds = isMore ? 0 : countedAt !== null ? pauses.alerted : isWatching ? pauses.watching : pauses.idle;
  const progress = Prisma.sql`events_place = ${place === null ? null : JSON.stringify(place)}::jsonb,
    events_counted_at = ${countedAt}::timestamptz`;
  const ofLog: LogFacts = { events, eventCounts, logFaults, destinationLags };
  // Most organizations have nothing to open and nothing to end, every minute: then this is all.
  const isQuiet = Object.values(ofLog).every((found) => found.length === 0);
  const next = { pause: Prisma.sql`${seconds}::integer`, progress, only: Prisma.sql`AND NOT (${hasAlerts})` };
  if (isQuiet && (await tryEnd(db(), "events", due, next))) return;
  await inTransaction(async (tx) => {
    await applyEventRules(tx, organizationId, ofLog);
    await end(tx, "events", due, {
      pause: Prisma.raw(eventsPause(seconds)),
      progress,
    });
  }, LIMITS);
}

/** Whether a condition can begin to hold without an event. */
const isWatched = (type: Condition["type"]) => type === "log_integrity" || type === "destination_lag";

/** Applies the rules about monitored state at the time of this process's clock. `isHeld`: see isMassFailure. */
export async function applyStateRules(
  tx: Transaction,
  organizationId: string,
  latencies: Latencies,
  isHeld: boolean,
): Promise<void> {
  await lockEvaluation(tx, organizationId);
  const rules = (await readRules(tx, organizationId)).filter(({ isOfEvents }) => !isOfEvents);
  await applyRules(tx, organizationId, rules, { ...NO_LOG_FACTS, ...latencies }, isHeld, () =>
    takeEnded(tx, organizationId),
  );
}

/** Applies the rules about audit events at the time of this process's clock. */
export async function applyEventRules(tx: Transaction, organizationId: string, ofLog: LogFacts): Promise<void> {
  await lockEvaluation(tx, organizationId);
  const rules = (await readRules(tx, organizationId)).filter(({ isOfEvents }) => isOfEvents);
  await applyRules(tx, organizationId, rules, { ...ofLog, ...NO_LATENCIES }, false, async () => ({
    findings: [],
    incidents: [],
  }));
}

/** Rules apply to events after they were enabled. Stored before the log is read, so that the log may be unavailable meanwhile. */
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
  before: ReadBefore,
  isHeld: boolean,
  readEnded: () => Promise<Ended>,
): Promise<void> {
  const now = new Date();
  const enabled = rules.filter((rule) => rule.enabled);
  const situation = await readSituation(sendIn(tx), organizationId, enabled, before, now);
  const stages = stagesOf(situation, await readEnded());
  // Reading took too long for the others, or they were changed meanwhile: their alerts stay as they are until the next evaluation.
  const judged = rules.filter((rule) => !rule.enabled || isRead(rule, before));
  // Most evaluations change nothing, and each lock is a write. What a person changes meanwhile wakes the rules.
  const seen = await readLive(tx, organizationId, now);
  if (stages.length === 1 && changesNothing(judged, situation, seen, isHeld)) return;
  await lockLive(tx, organizationId, now);
  const alerts = await readLive(tx, organizationId, now);
  for (const rule of judged) {
    let known: readonly AlertState[] = alerts.get(rule.id) ?? [];
    for (const stage of stages) {
      const facts = rule.enabled ? factsOf(rule, stage) : [];
      const unjudged = unjudgedSubjects(rule, stage);
      const circumstances = { now, isMassFailure: isHeld, isPast: stage !== stages.at(-1), unjudged };
      known = await applyRule(tx, organizationId, rule, facts, known, circumstances);
    }
  }
}

interface Next {
  pause: Prisma.Sql;
  progress: Prisma.Sql;
  /** A further condition, after the others. */
  only?: Prisma.Sql;
}

/** Ends the lease as the last statement, so that wake-ups hardly wait. Throws if another process has the lease. */
async function end(tx: Transaction, track: EvaluationTrack, due: Due, next: Next): Promise<void> {
  if (!(await tryEnd(tx, track, due, next))) throw new Error("the lease of the evaluation has expired");
}

/** Ends the lease. Returns false if another process has it, or the condition does not hold. */
async function tryEnd(
  tx: Pick<Transaction, "$executeRaw">,
  track: EvaluationTrack,
  { organizationId, leasedUntil }: Due,
  { pause, progress, only = Prisma.empty }: Next,
): Promise<boolean> {
  const columns = evaluationTracks[track];
  const [nextAt, lease] = [Prisma.raw(columns.nextAt), Prisma.raw(columns.leasedUntil)];
  const ended = await tx.$executeRaw`
    UPDATE alert_evaluations e SET ${lease} = NULL, ${progress},
      ${nextAt} = CASE WHEN ${nextAt} < ${lease} THEN ${nextAt} ELSE now() + make_interval(secs => ${pause}) END
    WHERE organization_id = ${organizationId}::uuid AND ${lease} = ${leasedUntil} ${only}`;
  return ended > 0;
}
