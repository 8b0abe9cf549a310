import { toRule } from "@/lib/alert-rules/alert-rule";
import { applyRule, readLive } from "@/lib/alerts/apply-rule";
import { factsOf } from "@/lib/alerts/facts";
import { readFlaggedEvents, wantedFlags } from "@/lib/alerts/flagged-events";
import { readSituation } from "@/lib/alerts/situation";
import { isValveClosed } from "@/lib/alerts/valve";
import type { Place } from "@/lib/audit-logs/new-events";
import { db, type Transaction } from "@/lib/db/app";
import { log } from "@/lib/log";

/**
 * Seconds between two evaluations of an organization: while it has alerts, while it watches anything, and else. What rules are
 * about wakes them besides (wake.ts), so these are for what only time brings, and for news that was not told.
 */
const pauses = { alerted: 15, watching: 60, idle: 600 };
/** Seconds after which one that failed is tried again, so that it does not stand before all others. */
const RETRY_SECONDS = 60;
const PATIENCE = { maxWait: 10_000, timeout: 60_000 };

interface Due {
  organization_id: string;
  events_place: Place | null;
}

/** Evaluates the rules of every organization that is due. Several processes share the work: each takes what no other holds. */
export async function evaluateDue(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await evaluateNext())) {}
}

/** One organization, in one transaction: alerts, timelines, messages and the place in the log stand or fall together. */
async function evaluateNext(): Promise<boolean> {
  let due: Due | undefined;
  try {
    return await db().$transaction(async (tx) => {
      [due] = await tx.$queryRaw<Due[]>`
        SELECT organization_id, events_place FROM alert_evaluations WHERE next_at <= now()
        ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
      if (due === undefined) return false;
      await evaluateOrganization(tx, due);
      return true;
    }, PATIENCE);
  } catch (error) {
    if (due === undefined) throw error;
    log.error({ err: error, organization_id: due.organization_id }, "alert rules could not be evaluated");
    const nextAt = new Date(Date.now() + RETRY_SECONDS * 1000);
    await db().alertEvaluation.updateMany({ where: { organizationId: due.organization_id }, data: { nextAt } });
    return true;
  }
}

async function evaluateOrganization(tx: Transaction, { organization_id, events_place }: Due): Promise<void> {
  const rules = (await tx.alertRule.findMany({ where: { organizationId: organization_id } })).map(toRule);
  const enabled = rules.filter((rule) => rule.enabled);
  const { events, place } = await readFlaggedEvents(organization_id, wantedFlags(enabled), events_place);
  const now = new Date();
  const situation = await readSituation(tx, organization_id, enabled, events, now);
  const alerts = await readLive(tx, organization_id, now);
  const circumstances = { now, isValveClosed: await isValveClosed() };
  for (const rule of rules) {
    const facts = rule.enabled ? factsOf(rule, situation) : [];
    await applyRule(tx, organization_id, rule, facts, alerts.get(rule.id) ?? [], circumstances);
  }
  await tx.$executeRaw`
    UPDATE alert_evaluations e SET events_place = ${JSON.stringify(place)}::jsonb, next_at = now() + make_interval(secs => CASE
      WHEN EXISTS (SELECT FROM alerts WHERE organization_id = e.organization_id AND live) THEN ${pauses.alerted}::integer
      WHEN EXISTS (SELECT FROM certificate_endpoints WHERE organization_id = e.organization_id)
        OR EXISTS (SELECT FROM uptime_monitors WHERE organization_id = e.organization_id)
        OR EXISTS (SELECT FROM certificates WHERE organization_id = e.organization_id) THEN ${pauses.watching}::integer
      ELSE ${pauses.idle}::integer END)
    WHERE organization_id = ${organization_id}::uuid`;
}
