import { busiestWindow } from "@/lib/alerts/event-counts/busiest-window";
import { mostCounted, nextCountedAt, readLimit } from "@/lib/alerts/event-counts/count-limits";
import { toRule } from "@/lib/alerts/rules/alert-rule";
import type { Condition } from "@/lib/alerts/rules/conditions";
import { inTurn } from "@/lib/alerts/situation/in-turn";
import { type EventCount, keyOfCondition } from "@/lib/alerts/situation/situation";
import { filters } from "@/lib/audit-logs/filters";
import { newestRows } from "@/lib/audit-logs/group/newest";
import { searchWindows } from "@/lib/audit-logs/read/windows";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { where } from "@/lib/audit-logs/scope/where";
import { deliveredUntil } from "@/lib/audit-logs/write/outbox";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import type { AlertRule as RuleRow } from "@/lib/db/generated/app/client";
import { defaultPurpose } from "@/lib/db/purposes";
import { isAway } from "@/lib/db/unavailable";
import { ApiError } from "@/lib/http/errors";
import { idAt, idTime } from "@/lib/ids";
import { log } from "@/lib/log";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

type CountCondition = Extract<Condition, { type: "event_count" }>;

/** Milliseconds for the count of one condition, and for all conditions of an evaluation. */
const COUNT_TIMEOUT_MS = 3_000;
const EVALUATION_TIMEOUT_MS = 10_000;
const FIRST_WINDOW_DAYS = (5 * MINUTE_MS) / DAY_MS;
/** Maximum clock difference between processes, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 10_000;
/** The longest time without evaluations of which events are counted, in milliseconds. */
const MAX_CATCH_UP_MS = 2 * DAY_MS;

/** The times of an evaluation and of the previous one, in Unix milliseconds. */
interface Period {
  now: number;
  /** Windows that ended since then are counted too. */
  since: number;
}

/**
 * Maximum number of events that match the condition of each rule in any of its windows that ended since `countedAt`, the time up to which
 * previous evaluations counted; null if they counted none. Also returns that time for the next evaluation, null if no rule counts
 * events. Conditions whose count failed or took too long are missing: their windows are counted again. Rejects if a database is
 * unavailable.
 */
export async function countForRules(
  organizationId: string,
  enabled: readonly RuleRow[],
  countedAt: Date | null,
): Promise<{ eventCounts: EventCount[]; countedAt: Date | null }> {
  const rules = enabled.flatMap((row) => {
    const { condition } = toRule(row);
    return isCount(condition) ? [{ condition, updatedAt: row.updatedAt.getTime() }] : [];
  });
  if (rules.length === 0) return { eventCounts: [], countedAt: null };
  const now = Date.now();
  const since = Math.max(
    countedAt?.getTime() ?? Math.min(...rules.map(({ updatedAt }) => updatedAt)),
    now - MAX_CATCH_UP_MS,
  );
  // Read first: an event that is delivered while others are counted is counted the next time.
  const delivered = await deliveredUntil();
  const conditions = new Map(rules.map(({ condition }) => [keyOfCondition(condition), condition]));
  const period = { now, since: Math.min(now, since) };
  const eventCounts = await countEvents(await scopeOf(organizationId), conditions, period);
  const isComplete = eventCounts.length === conditions.size;
  return { eventCounts, countedAt: new Date(nextCountedAt(period, delivered, isComplete)) };
}

async function countEvents(scope: Scope, conditions: ReadonlyMap<string, CountCondition>, period: Period) {
  const deadline = performance.now() + EVALUATION_TIMEOUT_MS;
  const counts: EventCount[] = [];
  for (const [key, condition] of inTurn([...conditions])) {
    const counted = performance.now() < deadline ? await tryCount(scope, condition, period) : null;
    if (counted !== null) counts.push({ key, ...counted });
  }
  if (counts.length < conditions.size) {
    const skipped = conditions.size - counts.length;
    log.warn({ organization_id: scope.organizationId, conditions: skipped }, "did not count events for alert rules");
  }
  return counts;
}

/** The number of events in the window of one condition that ends now, for a person who waits. Throws 503 if it takes too long. */
export async function countEventsOf(organizationId: string, condition: Condition, now: Date): Promise<EventCount[]> {
  if (!isCount(condition)) return [];
  const period = { now: now.getTime(), since: now.getTime() };
  const counted = await countOne(await scopeOf(organizationId), condition, period);
  if (counted === null) throw new ApiError("UNAVAILABLE", "Counting the matching events took too long.");
  return [{ key: keyOfCondition(condition), ...counted }];
}

function isCount(condition: Condition): condition is CountCondition {
  return condition.type === "event_count";
}

async function tryCount(scope: Scope, condition: CountCondition, period: Period) {
  try {
    return await countOne(scope, condition, period);
  } catch (error) {
    if (isAway(error)) throw error;
    log.debug({ err: error, organization_id: scope.organizationId }, "counting events for an alert rule failed");
    return null;
  }
}

/** Null if too few events were found to tell, in time or within the limit. */
async function countOne(
  scope: Scope,
  { query, count, window_minutes }: CountCondition,
  { now, since }: Period,
): Promise<Omit<EventCount, "key"> | null> {
  const windowMs = window_minutes * MINUTE_MS;
  const most = mostCounted(count);
  const limit = readLimit(count, now - since);
  const chosen = filters.parse(query);
  const times: number[] = [];
  const { edge } = await searchWindows({
    ...{ from: Math.max(scope.oldest, since - windowMs), to: now + MAX_CLOCK_SKEW_MS, order: "desc", limit },
    ...{ timeoutMs: COUNT_TIMEOUT_MS, firstWindowDays: FIRST_WINDOW_DAYS },
    read: async (from, to) => {
      const matching = where(scope, chosen);
      matching.add(`id >= ${matching.value(idAt(from))} AND id < ${matching.value(idAt(to))}`);
      const ids = await readIds(newestRows(matching, chosen, limit - times.length), matching.values);
      times.push(...ids.map(idTime));
      return ids.length;
    },
  });
  const found = busiestWindow(times, windowMs);
  const isPartial = edge !== null || times.length >= limit;
  if (isPartial && found < count) return null;
  return { count: Math.min(found, most), isMore: found > most };
}

async function readIds(text: string, values: unknown[]): Promise<string[]> {
  const purpose = defaultPurpose();
  const { rows } = await withTransaction(
    auditPool(purpose === "request" ? "report" : purpose),
    (client) => client.query<{ id: string }>(text, values),
    { readOnly: true, statementMs: COUNT_TIMEOUT_MS },
  );
  return rows.map(({ id }) => id);
}
