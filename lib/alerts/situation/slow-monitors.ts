import { type Selector, selectsAll, unionOf } from "@/lib/alert-selectors/selector";
import type { Condition } from "@/lib/alerts/rules/conditions";
import { inTurn } from "@/lib/alerts/situation/in-turn";
import { keyOfTerms, type Latencies, type Slow, type Unjudged } from "@/lib/alerts/situation/situation";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { defaultPurpose } from "@/lib/db/purposes";
import { isTimeLimit } from "@/lib/db/unavailable";
import { groupBy } from "@/lib/group-by";
import { ApiError } from "@/lib/http/errors";
import { log } from "@/lib/log";

/** The fewest checks from which to judge response times, and intervals in which there are as many, although they vary and one may fail. */
const MIN_CHECKS = 3;
const MIN_INTERVALS = 4;

/** Milliseconds to read one window, and all windows of an evaluation, whose transaction needs the rest of its lease. */
const LIMITS = { window: 20_000, all: 25_000 };

/** The smallest id of a check so many seconds before $2 (Unix milliseconds), in SQL, as idAt returns it. */
const idBefore = (seconds: string) =>
  `(lpad(to_hex($2::bigint - 1000 * ${seconds}), 12, '0') || repeat('0', 20))::uuid`;

type Terms = { condition: Condition; selector: Selector };
type LatencyTerms = { condition: Extract<Condition, { type: "latency" }>; selector: Selector };

function isLatency(terms: Terms): terms is LatencyTerms {
  return terms.condition.type === "latency";
}

/**
 * The monitors whose response times are above the limits of the rules that select them, and those that have too few successful checks to
 * be judged. Paused monitors are in neither. Rules whose window took too long are missing in `measured`. Not read in the transaction of
 * an evaluation, because that may take long.
 */
export async function readSlow(
  organizationId: string,
  rules: readonly Terms[],
  now: Date,
  limits = LIMITS,
): Promise<Latencies> {
  // Rules about all monitors apart, so that those about few do not share their fate.
  const windows = groupBy(
    rules.filter(isLatency),
    ({ condition, selector }) => `${condition.window_minutes} ${selectsAll(selector)}`,
  );
  const deadline = performance.now() + limits.all;
  // By window and monitor, because rules about all and about few may find the same.
  const slow = new Map<string, Slow>();
  const unjudged = new Map<string, Unjudged>();
  const measured: string[] = [];
  for (const own of inTurn([...windows.values()])) {
    const minutes = own[0]?.condition.window_minutes ?? 0;
    const statementMs = Math.floor(Math.min(limits.window, deadline - performance.now()));
    const found = statementMs > 0 ? await tryWindow(organizationId, minutes, own, now, statementMs) : null;
    if (found === null) {
      log.warn({ organization_id: organizationId, minutes }, "did not read response times for alert rules");
      continue;
    }
    for (const { medianMs, ...each } of found) {
      const key = `${minutes} ${each.monitorId}`;
      if (medianMs === null) unjudged.set(key, each);
      else slow.set(key, { ...each, medianMs });
    }
    measured.push(...own.map(keyOfTerms));
  }
  return { slow: [...slow.values()], unjudged: [...unjudged.values()], measured };
}

/** The same of one rule, for a person who waits. Throws 503 if it takes too long. */
export async function readSlowOf(organizationId: string, rule: Terms, now: Date): Promise<Latencies> {
  const latencies = await readSlow(organizationId, [rule], now);
  if (isLatency(rule) && latencies.measured.length === 0)
    throw new ApiError("UNAVAILABLE", "Reading the response times took too long.");
  return latencies;
}

/** A monitor in a window; the median is null if there are too few checks. */
type Found = Omit<Slow, "medianMs"> & { medianMs: number | null };

/** Null if it took too long. */
async function tryWindow(...given: Parameters<typeof readWindow>): Promise<Found[] | null> {
  try {
    return await readWindow(...given);
  } catch (error) {
    if (isTimeLimit(error)) return null;
    throw error;
  }
}

/**
 * The monitors that any of the rules selects and that are slower than the lowest limit, or cannot be judged, in the window that the rules
 * have in common.
 */
async function readWindow(
  organizationId: string,
  minutes: number,
  rules: readonly LatencyTerms[],
  now: Date,
  statementMs: number,
): Promise<Found[]> {
  const purpose = defaultPurpose();
  const { tags, ids } = unionOf(rules.map(({ selector }) => selector)) ?? { tags: [], ids: [] };
  const least = Math.min(...rules.map(({ condition }) => condition.above_ms));
  const isSelected = tags.length + ids.length > 0 ? "AND (m.id = ANY ($6::uuid[]) OR m.tags && $7::text[])" : "";
  const text = `SELECT m.id AS "monitorId", m.name, m.tags, CASE WHEN c.checks >= $3 THEN c.median / 1000 END AS "medianMs",
      ceil(w.seconds / 60.0)::integer AS "ofMinutes"
    FROM uptime_monitors m
    CROSS JOIN LATERAL (SELECT greatest(60 * $5::bigint, ${MIN_INTERVALS} * m.interval_seconds) AS seconds) w
    CROSS JOIN LATERAL (
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total_us) AS median, count(*) AS checks FROM uptime_checks c
      WHERE c.organization_id = m.organization_id AND c.monitor_id = m.id AND c.ok AND NOT c.maintenance AND c.id >= ${idBefore("w.seconds")}
    ) c
    WHERE m.organization_id = $1::uuid AND m.paused_at IS NULL AND m.type <> 'heartbeat'
      AND (c.checks < $3 OR c.median > $4) ${isSelected}`;
  const values = [organizationId, now.getTime(), MIN_CHECKS, least * 1000, minutes];
  const { rows } = await withTransaction(
    pool(purpose === "request" ? "report" : purpose),
    (client) =>
      client.query<Omit<Found, "windowMinutes">>(text, isSelected === "" ? values : [...values, [...ids], [...tags]]),
    { readOnly: true, statementMs },
  );
  return rows.map((row) => ({ ...row, windowMinutes: minutes }));
}
