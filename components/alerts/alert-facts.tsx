import Link from "next/link";
import { statusTone } from "@/components/alerts/alert-states";
import { entriesQuery } from "@/components/alerts/words";
import { isOfOldSecret, oldSecretsHref } from "@/components/api-keys/old-secrets/words";
import { severityTone } from "@/components/certificates/findings/finding-tones";
import { Ago, Time } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import type { Alert } from "@/lib/alerts/contract";
import { alertStatusLabels, causeLabel, subjectTypeLabels } from "@/lib/alerts/labels";
import type { AlertRule } from "@/lib/alerts/rules/contract";
import { subjectPath } from "@/lib/alerts/subject-path";
import { severityLabels } from "@/lib/certificates/finding-labels";

const link = "text-seal underline underline-offset-2";

/** The details of an alert. */
export function AlertFacts({ alert, rule: current }: { alert: Alert; rule: Pick<AlertRule, "condition"> | null }) {
  const { status, severity, step, rule, subject, causes } = alert;
  const entries = entriesQuery(alert, current?.condition);
  return (
    <div className="min-w-0">
      <DefinitionGroup>
        <Definition name="State">
          <Status tone={statusTone[status]}>{alertStatusLabels[status]}</Status>
          <StateDetail alert={alert} />
          {alert.flapping && (
            <span className="ml-2">
              <Badge tone="warn">flapping</Badge>
            </span>
          )}
        </Definition>
        <Definition name="Severity">
          <Status tone={severityTone[severity]}>{severityLabels[severity]}</Status>
          <span className="text-second"> · step {step}</span>
        </Definition>
        <Definition name="Causes">
          <span className="inline-flex flex-wrap gap-1">
            {causes.map((cause) => (
              <Badge key={cause}>{causeLabel(cause)}</Badge>
            ))}
          </span>
        </Definition>
      </DefinitionGroup>
      <DefinitionGroup title="Subject">
        <Definition name={subjectTypeLabels[subject.type]}>
          <Link prefetch={false} href={subjectPath(alert)} className={link}>
            {subject.name}
          </Link>
        </Definition>
        {alert.certificate_id !== null && subject.type !== "certificate" && (
          <Definition name="Certificate">
            <Link prefetch={false} href={`/certificates/${alert.certificate_id}`} className={link}>
              Served certificate
            </Link>
          </Definition>
        )}
        {entries !== null && (
          <Definition name="Entries">
            <Link prefetch={false} href={`/audit-logs?${entries}`} className={link}>
              View in audit log
            </Link>
          </Definition>
        )}
        {subject.type === "api_key" && causes.some(isOfOldSecret) && (
          <Definition name="Old secrets">
            <Link prefetch={false} href={oldSecretsHref(subject.id)} className={link}>
              See who still uses them
            </Link>
          </Definition>
        )}
        <Definition name="Rule">
          {current !== null ? (
            <Link prefetch={false} href={`/alert-rules/${rule.id}`} className={link}>
              {rule.name}
            </Link>
          ) : (
            <>
              {rule.name} <span className="text-second">· deleted</span>
            </>
          )}
        </Definition>
      </DefinitionGroup>
      <DefinitionGroup title="Times">
        <Definition name="Opened">
          <Time value={alert.opened_at} />
        </Definition>
        {alert.cause_gone_at !== null && status !== "resolved" && (
          <Definition name="Cause gone">
            <Ago value={alert.cause_gone_at} />
          </Definition>
        )}
        {alert.last_told_at !== null && (
          <Definition name="Last notified">
            <Time value={alert.last_told_at} />
          </Definition>
        )}
        {alert.resolved_at !== null && (
          <Definition name="Resolved">
            <Time value={alert.resolved_at} />
          </Definition>
        )}
      </DefinitionGroup>
    </div>
  );
}

function StateDetail({ alert: { status, acknowledged_by, snoozed_until } }: { alert: Alert }) {
  if (status === "snoozed" && snoozed_until !== null) {
    return (
      <span className="text-second">
        {" "}
        until <Time value={snoozed_until} />
        {acknowledged_by !== null && `, acknowledged by ${acknowledged_by}`}
      </span>
    );
  }
  if (status === "acknowledged") return <span className="text-second"> by {acknowledged_by}</span>;
  return null;
}
