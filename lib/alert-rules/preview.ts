import type * as contract from "@/lib/alert-rules/contract";
import type { AlertRuleInput } from "@/lib/alert-rules/contract";
import { recentFlaggedEvents } from "@/lib/alert-rules/recent-flagged-events";
import { factsOf } from "@/lib/alerts/facts";
import { levelOf } from "@/lib/alerts/level";
import { readSituation } from "@/lib/alerts/situation";
import type { Input, Output } from "@/lib/api/endpoint";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import { db } from "@/lib/db/app";

const MOST_MATCHES = 200;

/** Who meets a rule's condition now, and how far its steps are reached. Throws 403. */
export async function previewAlertRule(
  principal: Principal,
  input: Input<typeof contract.previewAlertRule>,
): Promise<Output<typeof contract.previewAlertRule>> {
  requireAdmin(principal);
  const rule: AlertRuleInput = input;
  const { organizationId } = principal;
  const now = new Date();
  const events = await recentFlaggedEvents(organizationId, rule.condition);
  const situation = await readSituation(db(), organizationId, [rule], events, now);
  const facts = factsOf(rule, situation);
  const matches = facts.map((fact) => {
    const level = levelOf(rule.steps, fact, null, now.getTime());
    return {
      subject: fact.subject,
      certificate_id: fact.certificateId,
      detail: fact.detail,
      causes: [...fact.causes],
      step: level === null ? null : level.step + 1,
      severity: level?.severity ?? null,
    };
  });
  matches.sort((a, b) => (b.step ?? 0) - (a.step ?? 0) || a.subject.name.localeCompare(b.subject.name, "en"));
  return { count: matches.length, matches: matches.slice(0, MOST_MATCHES) };
}
