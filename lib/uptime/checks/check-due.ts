import { dueChecks } from "@/lib/jobs/due-checks";
import { LEASE_SECONDS, probeMonitor } from "@/lib/uptime/checks/check";
import type { Outcome } from "@/lib/uptime/checks/outcome";
import { type Result, recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import { type DueMonitor, waitAgain } from "@/lib/uptime/checks/wait-again";
import { hostOf, parseHttpTarget, parseTcpTarget } from "@/lib/uptime/target";

function hostOfTarget({ type, target }: DueMonitor): string {
  return type === "tcp" ? parseTcpTarget(target).host : hostOf(parseHttpTarget(target));
}

/** A heartbeat is due when its call is late. */
function missedCall(): Outcome {
  return {
    ...{ at: new Date(), ok: false, reason: "heartbeat_missed", detail: null, address: null, statusCode: null },
    ...{ dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null, totalUs: 0 },
  };
}

/** Leases due monitors, and checks due monitors until none are left. */
export const { lease: leaseDueMonitors, run: checkDueMonitors } = dueChecks<DueMonitor, Result>({
  what: "uptime check",
  table: "uptime_monitors",
  columns: `t.organization_id AS "organizationId", t.id, t.version, t.type, t.target, t.method, t.headers,
    t.request_body AS "requestBody", t.assertions,
    t.expected_status AS "expectedStatus", t.expected_text AS "expectedText", t.follow_redirects AS "followRedirects",
    t.trust_store_id AS "trustStoreId", t.verify_tls AS "verifyTls", t.timeout_seconds AS "timeoutSeconds", t.leased_until AS "leasedUntil",
    extract(epoch FROM now() - t.next_check_at)::float8 AS "overdueSeconds"`,
  isActive: "t.paused_at IS NULL",
  leaseSeconds: LEASE_SECONDS,
  sift: waitAgain,
  check: async (monitor, { enter, signal }) => {
    const { organizationId, id: monitorId, version, leasedUntil } = monitor;
    if (monitor.type === "heartbeat") return { organizationId, monitorId, version, leasedUntil, outcome: missedCall() };
    // Enter before the check, so that waiting for a slot does not count as response time.
    const leave = await enter([hostOfTarget(monitor)]);
    const outcome = await probeMonitor(monitor, signal).finally(leave);
    return { organizationId, monitorId, version, leasedUntil, outcome };
  },
  record: recordOutcomes,
});
