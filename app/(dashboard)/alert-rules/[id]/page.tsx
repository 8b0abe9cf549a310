import type { Metadata } from "next";
import Link from "next/link";
import { readChoices } from "@/components/alert-rules/read-choices";
import { RuleActions } from "@/components/alert-rules/rule-actions";
import { RuleForm } from "@/components/alert-rules/rule-form";
import { conditionSummary } from "@/components/alert-rules/words";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import { knownFilters } from "@/components/audit-logs/filters/known-values";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { getAlertRule } from "@/lib/alerts/rules/get";
import { requirePrincipal } from "@/lib/auth/session";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Alert rule" };

export default async function AlertRulePage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const rule = await orNotFound(params, (id) => getAlertRule(principal, { id }));
  const [choices, known] = await Promise.all([
    readChoices(principal),
    knownFilters(principal, JSON.stringify(rule.condition)),
  ]);
  const reason = readOnlyReason(principal.permission);
  return (
    <>
      <PageHeader
        back={{ href: "/alert-rules", label: "Alert rules" }}
        title={rule.name}
        actions={<RuleActions rule={rule} reason={reason} />}
      >
        <span className="mr-3">
          {rule.enabled
            ? conditionSummary(rule.condition)
            : "Disabled: the rule opens no alerts, and its alerts are resolved."}
        </span>{" "}
        <Link
          prefetch={false}
          href={`/alerts?rule_id=${rule.id}`}
          className="whitespace-nowrap text-seal hover:underline"
        >
          {plural(rule.open_alerts, "unresolved alert")}
        </Link>
      </PageHeader>
      <RuleForm key={rule.id} rule={rule} {...choices} known={known} reason={reason} />
      <ResourceHistory principal={principal} type="alert_rule" id={rule.id} />
    </>
  );
}
