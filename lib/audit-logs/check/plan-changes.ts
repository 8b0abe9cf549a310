import type { ActiveHold } from "@/lib/audit-logs/held/active-holds";
import type { Action } from "@/lib/http/actions";
import { idTime } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { DAY_MS } from "@/lib/time/units";

/** Only these actions change a plan: the operator's command, and payment. */
export const PLAN_ACTIONS = ["organization.set_plan", "billing.notice"] as const satisfies readonly Action[];

/** How long events may remain in the class of an earlier plan, in milliseconds. */
const MOVING_MS = DAY_MS;
/** Maximum clock difference in milliseconds. */
export const TOLERANCE_MS = 120_000;

/** A stored event that says that it changed the plan, or with which an epoch of the log begins. */
export interface PlanChange {
  id: string;
  /** Whether an epoch begins: after a restore, the plan may be one from before the changes. */
  isEpoch: boolean;
  details: { plan?: Sides; retention_days?: Sides } | null;
}
type Sides = { from?: unknown; to?: unknown };

/** A plan that has ended: until when (Unix milliseconds), and for how many days it kept events. */
interface EndedPlan {
  until: number;
  days: number;
}

/**
 * The plans that ended with these changes, which are in the order of their ids. Somebody who can insert events can invent a change: it
 * counts only with whole days on both sides, and excuses no more than the change before it allowed.
 */
export function endedPlans(changes: readonly PlanChange[]): EndedPlan[] {
  let allowed = 0;
  return changes.flatMap(({ id, isEpoch, details }) => {
    if (isEpoch) allowed = 0;
    const [from, to] = [daysOf(details, "from"), daysOf(details, "to")];
    if (from === null || to === null) return [];
    const days = Math.max(from, allowed);
    allowed = to;
    return [{ until: idTime(id), days }];
  });
}

/**
 * The time (Unix milliseconds) up to which events may have expired under plans that have ended; -Infinity without one. Nothing that a
 * hold of the whole log covers expired under a plan that ended after the hold was placed.
 */
export function expiredUntil(
  ended: readonly EndedPlan[],
  holds: readonly Pick<ActiveHold, "placedAt" | "coversSince">[],
): number {
  const reached = ended.map(({ until, days }) => {
    const during = holds.filter(({ placedAt }) => placedAt < until - TOLERANCE_MS);
    return Math.min(until + MOVING_MS - days * DAY_MS, ...during.map(({ coversSince }) => coversSince));
  });
  return Math.max(Number.NEGATIVE_INFINITY, ...reached);
}

/** The days of one side of a change; null if it says none. */
function daysOf(details: PlanChange["details"], side: keyof Sides): number | null {
  const plan = details?.plan?.[side];
  if (typeof plan !== "string") return null;
  const days = details?.retention_days?.[side] ?? auditRetentionDays(plan);
  return Number.isSafeInteger(days) && Number(days) > 0 ? Number(days) : null;
}
