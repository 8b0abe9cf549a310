import {
  endedPlans,
  expiredUntil,
  PLAN_ACTIONS,
  type PlanChange,
  TOLERANCE_MS,
} from "@/lib/audit-logs/check/plan-changes";
import { type ActiveHold, readActiveHolds } from "@/lib/audit-logs/held/active-holds";
import { oldestDay, SPAN_MS } from "@/lib/audit-logs/partitions/spans";
import { token } from "@/lib/audit-logs/tokens";
import { db } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { laterClock } from "@/lib/db/clocks";
import type { Action } from "@/lib/http/actions";
import { idAt } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { DAY_MS } from "@/lib/time/units";

/** The action with which an epoch beyond the first begins. */
const NEW_EPOCH = "audit_log.epoch_started" satisfies Action;

/**
 * The time (Unix milliseconds) up to which events of an organization may have expired: under its plan, or under an earlier one until
 * the event that changed it. Those are sealed like all events. Nothing expires while the whole log is on hold. Another process, whose
 * clock is ahead of this one, may have dropped them.
 */
export async function excusedUntil(organizationId: string): Promise<number> {
  const organization = await db().organization.findUnique({ where: { id: organizationId }, select: { plan: true } });
  const now = (await laterClock(auditPool())) - auditRetentionDays(organization?.plan ?? "free") * DAY_MS;
  const holds = await holdsOfWholeLog(organizationId);
  const excused = Math.min(now, ...holds.map(({ coversSince }) => coversSince));
  // A change from before that time excuses nothing more. A later one counts only with those before it.
  const recent = await readPlanChanges(organizationId, excused, Date.now() + DAY_MS);
  const earlier =
    recent.length === 0 ? [] : await readPlanChanges(organizationId, await oldestDay(auditPool()), excused);
  return Math.max(excused, expiredUntil(endedPlans([...earlier, ...recent]), holds)) + TOLERANCE_MS;
}

/** The stored events between two times (Unix milliseconds) that say that they changed the plan or began an epoch, by id. */
async function readPlanChanges(organizationId: string, since: number, until: number): Promise<PlanChange[]> {
  const changes: PlanChange[] = [];
  for (let from = since; from < until; from += SPAN_MS) {
    const { rows } = await auditPool().query<PlanChange>(
      `SELECT id, action = $4 AS "isEpoch", details FROM audit_events
       WHERE organization_id = $1 AND id >= $6 AND id < $7 AND (tokens @> ARRAY[$2] OR tokens @> ARRAY[$5]) AND error_code IS NULL
         AND ('plan_changed' = ANY(flags) AND action = ANY($3) OR action = $4)
       ORDER BY id`,
      [
        ...[organizationId, token("flag", "plan_changed"), PLAN_ACTIONS, NEW_EPOCH, token("action", NEW_EPOCH)],
        ...[idAt(from), idAt(Math.min(from + SPAN_MS, until))],
      ],
    );
    changes.push(...rows);
  }
  return changes;
}

/** The active holds of the whole log. Of those with a filter, nobody can tell whether they covered an event that is gone. */
async function holdsOfWholeLog(organizationId: string): Promise<ActiveHold[]> {
  const holds = await readActiveHolds(organizationId);
  return holds.filter(({ filters }) => Object.values(filters).every((value) => value === undefined));
}
