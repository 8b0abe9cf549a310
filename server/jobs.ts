import { evaluateEventsDue, evaluateStateDue } from "@/lib/alerts/evaluation/evaluate-due";
import { expireAlerts } from "@/lib/alerts/expire-alerts";
import { notifyAgain } from "@/lib/alerts/unsent/notify-again";
import { sendCheckpoints } from "@/lib/anchors/send-checkpoints";
import { expireIdempotencyKeys } from "@/lib/api/idempotency";
import { checkLogs } from "@/lib/audit-logs/check/check-logs";
import { cosignCheckpoints } from "@/lib/audit-logs/cosign/cosign-checkpoints";
import { foldDeltas } from "@/lib/audit-logs/count/fold-deltas";
import { buildIndexes } from "@/lib/audit-logs/partitions/build-indexes";
import { createPartitions } from "@/lib/audit-logs/partitions/partitions";
import { REDACTIONS_DUE, redactDue } from "@/lib/audit-logs/redact/redact-due";
import { enforceRetention } from "@/lib/audit-logs/retain/retention";
import { expireSeals } from "@/lib/audit-logs/seal/expire-seals";
import { sealEvents } from "@/lib/audit-logs/seal/sealer";
import { signCheckpoints } from "@/lib/audit-logs/sign/sign-checkpoints";
import { stampCheckpoints } from "@/lib/audit-logs/stamp/stamp-checkpoints";
import { deliverOutboxJob, OUTBOX_DUE } from "@/lib/audit-logs/write/outbox";
import { sendDueViewEmails } from "@/lib/audit-views/weekly-email/send-due";
import { expireWebhookEvents } from "@/lib/billing/expire-webhook-events";
import { findSilentAgents } from "@/lib/certificates/agents/find-silent-agents";
import { readDueNames } from "@/lib/certificates/caa/check-due";
import { checkDueEndpoints } from "@/lib/certificates/check/check-due";
import { expireCertificateHistory } from "@/lib/certificates/record/expire-history";
import { fillUsages } from "@/lib/certificates/record/fill-usages";
import { requestDueRenewalInfo } from "@/lib/certificates/renewal-info/request-due";
import { recheckTrustStoreUsers } from "@/lib/certificates/trust-stores/recheck-users";
import { auditPool } from "@/lib/db/audit";
import { finishMigrations } from "@/lib/db/finish-migrations";
import { DESTINATIONS_FREE } from "@/lib/destinations/sending/lease";
import { streamDue } from "@/lib/destinations/sending/stream-due";
import { expireInvitations } from "@/lib/invitations/expire-invitations";
import { POLL_INTERVAL_MS } from "@/lib/jobs/look-for-work";
import { anyDueSql } from "@/lib/jobs/tasks";
import { expireDeliveries } from "@/lib/notification-channels/deliveries/expire-deliveries";
import { sendDueDeliveries } from "@/lib/notification-channels/deliveries/send-due";
import { notifyDeletions } from "@/lib/organizations/notify-deletion";
import { purgeOrganizations } from "@/lib/organizations/purge";
import { expirePeople } from "@/lib/sign-in/expire-people";
import { expireSessions } from "@/lib/sign-in/expire-sessions";
import { accountIssuances } from "@/lib/subdomains/accounting/account-issuances";
import { discoverDue } from "@/lib/subdomains/discover-due";
import { checkDueMonitors } from "@/lib/uptime/checks/check-due";
import { expireChecks } from "@/lib/uptime/checks/partitions";
import { expireIncidents } from "@/lib/uptime/incidents/expire-incidents";
import { sealHeaders } from "@/lib/uptime/seal-headers";

/** A recurring task of the worker. */
export type Job = {
  /** `noun.what-it-does`, as in the log. */
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  everyMs: number;
  /** A condition on the monitoring database without which a run has nothing to do: see look-for-work.ts. */
  isDue?: string;
  /**
   * One run. Several workers may run it at the same time, so it leases its items. Should end soon after `signal` aborts. Calls
   * `onProgress` now and then if it may not end soon, such as while new items become due.
   */
  run: (signal: AbortSignal, onProgress: () => void) => Promise<void>;
};

/** Every background job. */
export const jobs: readonly Job[] = [
  { name: "audit-logs.ship-outbox", everyMs: POLL_INTERVAL_MS, isDue: OUTBOX_DUE, run: deliverOutboxJob },
  { name: "audit-logs.seal", everyMs: 1_000, run: sealEvents },
  { name: "audit-logs.sign-checkpoints", everyMs: 5_000, run: signCheckpoints },
  { name: "audit-logs.redact", everyMs: POLL_INTERVAL_MS, isDue: REDACTIONS_DUE, run: redactDue },
  { name: "audit-logs.check-sealed-logs", everyMs: 60_000, run: checkLogs },
  { name: "audit-logs.cosign-checkpoints", everyMs: 2_000, run: cosignCheckpoints },
  { name: "audit-logs.stamp-checkpoints", everyMs: 60_000, run: stampCheckpoints },
  { name: "anchors.send-checkpoints", everyMs: 60_000, run: sendCheckpoints },
  { name: "destinations.stream-due", everyMs: POLL_INTERVAL_MS, isDue: DESTINATIONS_FREE, run: streamDue },
  { name: "audit-logs.expire-seals", everyMs: 600_000, run: expireSeals },
  { name: "audit-logs.fold-deltas", everyMs: 10_000, run: foldDeltas },
  { name: "audit-logs.enforce-retention", everyMs: 60_000, run: enforceRetention },
  { name: "audit-logs.make-partitions", everyMs: 3_600_000, run: () => createPartitions(auditPool()) },
  { name: "audit-logs.build-indexes", everyMs: 60_000, run: buildIndexes },
  {
    name: "certificates.check-due",
    everyMs: POLL_INTERVAL_MS,
    isDue: anyDueSql("certificate_check"),
    run: checkDueEndpoints,
  },
  { name: "certificates.find-silent-agents", everyMs: 10_000, run: findSilentAgents },
  { name: "certificates.recheck-trust-store-users", everyMs: 10_000, run: recheckTrustStoreUsers },
  { name: "certificates.read-caa", everyMs: POLL_INTERVAL_MS, isDue: anyDueSql("caa_reading"), run: readDueNames },
  {
    name: "certificates.ask-renewals",
    everyMs: POLL_INTERVAL_MS,
    isDue: anyDueSql("renewal_request"),
    run: requestDueRenewalInfo,
  },
  { name: "uptime.check-due", everyMs: POLL_INTERVAL_MS, isDue: anyDueSql("uptime_check"), run: checkDueMonitors },
  { name: "uptime.expire-checks", everyMs: 600_000, run: expireChecks },
  { name: "subdomains.discover-due", everyMs: POLL_INTERVAL_MS, isDue: anyDueSql("discovery"), run: discoverDue },
  { name: "subdomains.account-issuances", everyMs: 60_000, run: accountIssuances },
  {
    name: "alerts.evaluate-state",
    everyMs: POLL_INTERVAL_MS,
    isDue: anyDueSql("alert_evaluation_state"),
    run: evaluateStateDue,
  },
  {
    name: "alerts.evaluate-events",
    everyMs: POLL_INTERVAL_MS,
    isDue: anyDueSql("alert_evaluation_events"),
    run: evaluateEventsDue,
  },
  {
    name: "notifications.send-due",
    everyMs: POLL_INTERVAL_MS,
    isDue: anyDueSql("notification"),
    run: (signal, onProgress) => sendDueDeliveries(signal, onProgress, notifyAgain),
  },
  { name: "notifications.expire", everyMs: 3_600_000, run: expireDeliveries },
  { name: "audit-views.send-weekly-emails", everyMs: 60_000, run: (signal) => sendDueViewEmails(signal) },
  { name: "api.expire-idempotency-keys", everyMs: 3_600_000, run: expireIdempotencyKeys },
  { name: "billing.expire-webhook-events", everyMs: 3_600_000, run: expireWebhookEvents },
  { name: "invitations.expire", everyMs: 3_600_000, run: expireInvitations },
  { name: "organizations.notify-deletion", everyMs: 60_000, run: notifyDeletions },
  { name: "organizations.purge", everyMs: 60_000, run: purgeOrganizations },
  {
    name: "database.finish-migrations",
    everyMs: 3_600_000,
    run: (signal) => finishMigrations(signal, [fillUsages, sealHeaders]),
  },
  { name: "alerts.expire", everyMs: 3_600_000, run: expireAlerts },
  { name: "certificates.expire-history", everyMs: 3_600_000, run: expireCertificateHistory },
  { name: "uptime.expire-incidents", everyMs: 3_600_000, run: expireIncidents },
  { name: "people.expire", everyMs: 3_600_000, run: expirePeople },
  { name: "sessions.expire", everyMs: 3_600_000, run: expireSessions },
];
