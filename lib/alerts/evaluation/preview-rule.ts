import { normalized } from "@/lib/alert-selectors/selector";
import { countEventsOf } from "@/lib/alerts/evaluation/count-events";
import { factsOf } from "@/lib/alerts/evaluation/facts";
import { levelOf } from "@/lib/alerts/evaluation/level";
import type * as contract from "@/lib/alerts/rules/contract";
import type { AlertRuleInput } from "@/lib/alerts/rules/contract";
import { readDestinationLags } from "@/lib/alerts/situation/destination-lags";
import { readLogFaults } from "@/lib/alerts/situation/log-faults";
import { readSituation } from "@/lib/alerts/situation/read-situation";
import { recentFlaggedEvents } from "@/lib/alerts/situation/recent-flagged-events";
import { readSlowOf } from "@/lib/alerts/situation/slow-monitors";
import { send } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

const MAX_MATCHES = 200;

/** The current matches of a rule's condition and the steps they reach. Throws 403. */
export async function previewAlertRule(
  principal: Principal,
  input: Input<typeof contract.previewAlertRule>,
): Promise<Output<typeof contract.previewAlertRule>> {
  requireAdmin(principal);
  const rule: AlertRuleInput = { ...input, selector: normalized(input.selector, input.condition.type) };
  const { organizationId } = principal;
  const now = new Date();
  const [events, eventCounts, logFaults, destinationLags, latencies] = await Promise.all([
    recentFlaggedEvents(organizationId, rule.condition),
    countEventsOf(organizationId, rule.condition, now),
    readLogFaults(organizationId, [rule.condition]),
    readDestinationLags(organizationId, [rule.condition]),
    readSlowOf(organizationId, rule, now),
  ]);
  const before = { events, eventCounts, logFaults, destinationLags, ...latencies };
  const situation = await readSituation(send, organizationId, [rule], before, now);
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
  return { count: matches.length, matches: matches.slice(0, MAX_MATCHES) };
}
