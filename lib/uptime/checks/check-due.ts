import { dueChecks } from "@/lib/jobs/due-checks";
import { processorTime } from "@/lib/jobs/processor-time";
import { WEB_STEADY_SINCE } from "@/lib/jobs/web-steady-since";
import { LEASE_SECONDS, probeMonitor } from "@/lib/uptime/checks/check";
import { unsent } from "@/lib/uptime/checks/outcome";
import { type Result, recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import { type DueMonitor, waitAgain } from "@/lib/uptime/checks/wait-again";
import { checkedHost } from "@/lib/uptime/target";

/** The host that is not to be asked too much at once. */
function hostAsked({ type, target, typeSettings }: DueMonitor): string {
  return type === "dns" ? (typeSettings.dns?.resolver ?? target) : checkedHost(type, target);
}

/** When the process that leased the monitor before, and has crashed, did so; null if it was not leased since it became due. */
const LEASED_BEFORE = `CASE WHEN due.leased_before - make_interval(secs => ${LEASE_SECONDS}) >= t.next_check_at
  THEN due.leased_before - make_interval(secs => ${LEASE_SECONDS}) END`;

/** Leases due monitors, and checks due monitors until none are left. */
export const { lease: leaseDueMonitors, run: checkDueMonitors } = dueChecks<DueMonitor, Result>({
  what: "uptime check",
  kind: "uptime_check",
  table: "uptime_monitors",
  columns: `t.organization_id AS "organizationId", t.id, t.version, t.type, t.target, t.method, t.headers, t.secrets,
    t.request_body AS "requestBody", t.assertions,
    t.expected_status AS "expectedStatus", t.expected_text AS "expectedText", t.follow_redirects AS "followRedirects",
    t.trust_store_id AS "trustStoreId", t.verify_tls AS "verifyTls", t.ip_version AS "ipVersion", t.type_settings AS "typeSettings",
    t.timeout_seconds AS "timeoutSeconds", t.leased_until AS "leasedUntil",
    t.interval_seconds AS "intervalSeconds", t.grace_seconds AS "graceSeconds",
    extract(epoch FROM t.next_check_at - ${WEB_STEADY_SINCE})::float8 AS "callableSeconds", ${LEASED_BEFORE} IS NOT NULL AS "wasFoundLate",
    extract(epoch FROM coalesce(${LEASED_BEFORE}, now()) - t.next_check_at)::float8 AS "overdueSeconds"`,
  isActive: "t.paused_at IS NULL",
  leaseSeconds: LEASE_SECONDS,
  sift: waitAgain,
  check: async (monitor, { enter, signal }) => {
    const { organizationId, id: monitorId, version, leasedUntil } = monitor;
    // It is due when its call is late.
    if (monitor.type === "heartbeat")
      return { organizationId, monitorId, version, leasedUntil, outcome: unsent("heartbeat_missed") };
    processorTime().require(organizationId);
    // Enter before the check, so that waiting for a slot does not count as response time.
    const leave = await enter([hostAsked(monitor)]);
    const outcome = await probeMonitor(monitor, signal).finally(leave);
    return { organizationId, monitorId, version, leasedUntil, outcome };
  },
  record: recordOutcomes,
});
