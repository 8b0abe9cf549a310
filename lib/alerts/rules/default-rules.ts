import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { ruleColumns } from "@/lib/alerts/rules/alert-rule";
import { type AlertRuleInput, alertRuleInput } from "@/lib/alerts/rules/contract";
import { reachabilityCodes } from "@/lib/certificates/findings";
import type { Transaction } from "@/lib/db/app";
import { newId } from "@/lib/ids";

/** The alert rules of a new organization, which notify all its channels. */
export const defaultRules: readonly AlertRuleInput[] = [
  {
    name: "Certificates about to expire",
    condition: { type: "time_left" },
    steps: [
      { days_left: 30, share_left: 0.33, severity: "info" },
      { days_left: 14, share_left: 0.2, severity: "warning" },
      { days_left: 7, share_left: 0.1, severity: "critical" },
    ],
    repeat_minutes: 1440,
  },
  {
    name: "Certificate problems",
    // The time left and reachability have rules of their own. `expired` may be about an issuer, whose time left no rule sees.
    condition: { type: "finding", except_codes: ["expires_soon", "certificate_changed", ...reachabilityCodes] },
    steps: [{}],
    repeat_minutes: 1440,
  },
  {
    name: "Unreachable endpoints",
    condition: { type: "finding", codes: [...reachabilityCodes] },
    steps: [{ after_minutes: 5 }, { after_minutes: 60, severity: "critical" }],
  },
  {
    name: "Monitors down",
    condition: { type: "monitor_down" },
    steps: [{ severity: "critical" }],
    resolve_after_minutes: 0,
    repeat_minutes: 240,
  },
  {
    name: "Suspicious use of API keys",
    condition: { type: "security_event", flags: ["rotated_secret", "revoked_key", "ip_not_allowed", "new_country"] },
    steps: [{ severity: "warning" }],
    resolve_after_minutes: 60,
    send_resolved: false,
  },
].map((rule) => alertRuleInput.parse(rule));

/** Creates an organization's default rules, in the transaction that creates the organization. */
export async function createDefaultRules(tx: Transaction, organizationId: string, now: Date): Promise<void> {
  await tx.alertRule.createMany({
    data: defaultRules.map((rule) => ({
      organizationId,
      id: newId(),
      ...ruleColumns(rule),
      createdAt: now,
      updatedAt: now,
    })),
  });
  await evaluateSoon(tx, organizationId);
}
