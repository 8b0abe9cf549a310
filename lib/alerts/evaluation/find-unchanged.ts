import { toState } from "@/lib/alerts/alert-row";
import type { AlertState } from "@/lib/alerts/alert-state";
import { changesNothing } from "@/lib/alerts/evaluation/changes-nothing";
import { REOPEN_MS } from "@/lib/alerts/evaluation/evaluate";
import { isMassFailure } from "@/lib/alerts/evaluation/mass-failure";
import { type Rule, toRule } from "@/lib/alerts/rules/alert-rule";
import { type Condition, conditionTypes, isAboutEvents } from "@/lib/alerts/rules/conditions";
import { type Resources, readResourcesOf } from "@/lib/alerts/situation/read-situation";
import { isRead, NO_LATENCIES, NO_LOG_FACTS, type ReadBefore } from "@/lib/alerts/situation/situation";
import { type LogCursor, quietLogs } from "@/lib/audit-logs/read/new-events";
import { inTransaction, type Send, sendIn } from "@/lib/db/app";
import type { Alert as AlertRow, AlertRule as RuleRow } from "@/lib/db/generated/app/client";
import { fieldsOf } from "@/lib/db/rows/change-row";
import { groupBy } from "@/lib/group-by";
import { mapInTurns } from "@/lib/turns";

/** Organizations with this many rows of a kind, such as alerts or findings, are left to their own evaluation. */
const MAX_ROWS = 500;
/** Time limits of one statement, and of all reads of a call from the monitoring database, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 10_000;

type Type = Condition["type"];

export const eventConditions = conditionTypes.filter(isAboutEvents);
const stateConditions = conditionTypes.filter((type) => !isAboutEvents(type));

/**
 * The organizations in which the evaluation of rules about monitored state would change nothing now. Throws the driver's errors, and
 * P2028 if it takes too long.
 */
export async function unchangedState(ids: readonly string[]): Promise<Map<string, null>> {
  const now = new Date();
  const held = new Map<string, boolean>();
  for (const id of ids) held.set(id, await isMassFailure(id));
  const { alertsOf, rulesOf, resourcesOf } = await readTogether(async (ask) => {
    // Before the resources: a problem that ends in between shows as an alert without a cause, or awaits its evaluation.
    const [alertsOf, rules, ended] = await Promise.all([
      readAlerts(ask, ids, stateConditions, now),
      readRules(ask, ids, stateConditions),
      withEnded(ask, ids),
    ]);
    const rulesOf = new Map(
      ids.flatMap((id) => {
        const isPassable = !ended.has(id) && (alertsOf.get(id)?.length ?? 0) < MAX_ROWS;
        return isPassable ? [[id, rules.get(id) ?? []] as const] : [];
      }),
    );
    const enabled = new Map([...rulesOf].map(([id, mine]) => [id, mine.filter((rule) => rule.enabled)]));
    return { alertsOf, rulesOf, resourcesOf: await readResourcesOf(ask, enabled, now, MAX_ROWS) };
  });
  const passed = await mapInTurns([...rulesOf], ([id, rules]) => {
    const resources = resourcesOf(id);
    const isWhole = Object.values(resources).every(({ length }) => length < MAX_ROWS);
    const isUnchanged = isWhole && isPassed(id, rules, resources, alertsOf.get(id) ?? [], now, held.get(id) ?? false);
    return isUnchanged ? [[id, null] as const] : [];
  });
  return new Map(passed.flat());
}

/**
 * The organizations whose log has no new event since these cursors, and in which the evaluation of rules about events would change nothing,
 * each with its new cursor. Throws like `unchangedState`.
 */
export async function unchangedEvents(cursors: ReadonlyMap<string, LogCursor>): Promise<Map<string, LogCursor>> {
  const now = new Date();
  const quiet = await quietLogs(cursors);
  const { alertsOf, rulesOf } = await readTogether(async (ask) => {
    const alertsOf = await readAlerts(ask, [...quiet.keys()], eventConditions, now);
    return { alertsOf, rulesOf: await readRules(ask, [...alertsOf.keys()], eventConditions) };
  });
  const resources: Resources = { findings: [], issuances: [], validities: [], incidents: [] };
  const passed = await mapInTurns([...quiet], ([id, place]) => {
    const alerts = alertsOf.get(id) ?? [];
    const isUnchanged = alerts.length < MAX_ROWS && isPassed(id, rulesOf.get(id) ?? [], resources, alerts, now, false);
    return isUnchanged ? [[id, place] as const] : [];
  });
  return new Map(passed.flat());
}

/** Reads of the monitoring database within the time limits. */
function readTogether<Found>(read: (ask: Send) => Promise<Found>): Promise<Found> {
  return inTransaction(
    async (tx) => {
      const ask = sendIn(tx);
      const limit = ask({
        text: "SELECT set_config('statement_timeout', $1, true)",
        values: [`${STATEMENT_TIMEOUT_MS}`],
      });
      const [found] = await Promise.all([read(ask), limit]);
      return found;
    },
    { timeout: READ_TIMEOUT_MS },
  );
}

/** Rules that need more are left to the evaluation of their organization. */
const NOTHING: ReadBefore = { ...NO_LOG_FACTS, ...NO_LATENCIES };

interface KnownAlert extends AlertState {
  ruleId: string;
}

/** Whether the evaluation of these rules would change no alert. An error is left to the evaluation of this organization. */
function isPassed(
  organizationId: string,
  rules: readonly Rule[],
  resources: Resources,
  alerts: readonly KnownAlert[],
  now: Date,
  isHeld: boolean,
): boolean {
  const situation = { organizationId, now: now.getTime(), ...NOTHING, ...resources };
  if (rules.some((rule) => rule.enabled && !isRead(rule, NOTHING))) return false;
  const known = groupBy(alerts, ({ ruleId }) => ruleId);
  try {
    return changesNothing(rules, situation, known, isHeld);
  } catch {
    return false;
  }
}

/** The alerts of rules of these types that evaluations need, by organization: up to MAX_ROWS of each. Without locks: they are compared. */
async function readAlerts(ask: Send, ids: readonly string[], types: readonly Type[], now: Date) {
  const rows = await ask<AlertRow>({
    text: `SELECT found.* FROM unnest($1::uuid[]) AS o (id) CROSS JOIN LATERAL (
        SELECT ${fieldsOf.alerts} FROM alerts WHERE organization_id = o.id AND (live OR resolved_at > $2) AND rule_id IN (
          SELECT r.id FROM alert_rules r WHERE r.organization_id = o.id AND r.condition ->> 'type' = ANY($3)
        ) ORDER BY id LIMIT ${MAX_ROWS}
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
