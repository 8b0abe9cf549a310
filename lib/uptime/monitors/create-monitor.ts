import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireInterval, requireRoom } from "@/lib/billing/plan-limits";
import { requireTrustStore } from "@/lib/certificates/trust-stores/require-trust-store";
import { logFailure } from "@/lib/db/outage-log";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { findPing } from "@/lib/network/ping";
import { assertionsOf } from "@/lib/uptime/assertions";
import { check, LEASE_SECONDS } from "@/lib/uptime/checks/check";
import type * as contract from "@/lib/uptime/contract";
import type { MonitorInput } from "@/lib/uptime/fields";
import { issueHeartbeatUrl } from "@/lib/uptime/heartbeats/heartbeat-url";
import "@/lib/uptime/monitors/judge-fields";
import { readMonitor, recordedMonitor, toMonitor, toMonitorToCheck } from "@/lib/uptime/monitors/monitor";
import { secretColumns } from "@/lib/uptime/secrets";

/** The error for a second one with the same name. */
export const SAME_NAME = "A monitor with this name already exists.";

/** Creates a monitor and checks it immediately unless it is paused or a heartbeat; a failed check is no error. Throws 400, 402, 403, 409. */
export async function createMonitor(
  principal: Principal,
  input: Input<typeof contract.createMonitor>,
): Promise<Output<typeof contract.createMonitor>> {
  requireAdmin(principal);
  if (lacksPing(input)) throw invalid("type", NO_PING);
  const { organizationId } = principal;
  const now = new Date();
  const isHeartbeat = input.type === "heartbeat";
  const { row, url } = await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      // Locked before the organization, as by bulk requests.
      await requireTrustStore(tx, organizationId, input.trust_store_id);
      await requireRoom(tx, organizationId, "monitors", 1);
      await requireInterval(tx, organizationId, input.interval_seconds);
      const made = await tx.uptimeMonitor.create({
        data: { ...newMonitor(organizationId, input, now), leasedUntil: isHeartbeat ? null : leaseFrom(now) },
      });
      event.resource("monitor", made.id);
      recordChanges(event, input.name, null, recordedMonitor(input));
      return { row: made, url: isHeartbeat ? await issueHeartbeatUrl(tx, organizationId, made.id) : null };
    }),
  );
  if (url !== null) return { ...toMonitor(row), heartbeat_url: url };
  if (row.pausedAt !== null) return toMonitor(row);
  await check(toMonitorToCheck(row)).catch((error: unknown) => {
    logFailure("could not check a new monitor immediately", error, { monitor_id: row.id });
  });
  return toMonitor(await readMonitor(organizationId, row.id));
}

/** Why a monitor of the type ping cannot be created. */
export const NO_PING = "needs the program ping on the machine of Sealwatch (iputils-ping, BusyBox), which has none";

/** Whether the input is for the type ping, and this machine has no `ping`. */
export function lacksPing({ type }: Pick<MonitorInput, "type">): boolean {
  return type === "ping" && findPing() === null;
}

/** The lease of a check that starts now. */
export function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_SECONDS * 1000);
}

/**
 * When a monitor is checked first, or again after a change at `since`: at once. A heartbeat is late if no call comes within its period
 * and grace after `since`.
 */
export function firstCheckAt({ type, interval_seconds, grace_seconds }: MonitorInput, since: Date): Date {
  if (type !== "heartbeat") return new Date();
  return new Date(since.getTime() + (interval_seconds + grace_seconds) * 1000);
}

/** The columns set by the input, except those of its secrets. */
export function settings(input: MonitorInput) {
  return {
    name: input.name,
    type: input.type,
    target: input.target,
    method: input.method,
    requestBody: input.request_body,
    expectedStatus: input.expected_status,
    expectedText: input.expected_text,
    assertions: assertionsOf(input),
    followRedirects: input.follow_redirects,
    trustStoreId: input.trust_store_id,
    verifyTls: input.verify_tls,
    typeSettings: {
      ...(input.dns && { dns: input.dns }),
      ...(input.tcp && { tcp: input.tcp }),
      ...(input.ping && { ping: input.ping }),
    },
    ipVersion: input.ip_version,
    intervalSeconds: input.interval_seconds,
    graceSeconds: input.grace_seconds,
    timeoutSeconds: input.timeout_seconds,
    failureThreshold: input.failure_threshold,
    recoveryThreshold: input.recovery_threshold,
    tags: input.tags,
  };
}

/** A new monitor's row. */
export function newMonitor(organizationId: string, input: MonitorInput, now: Date) {
  const place = { organizationId, id: newId() };
  return {
    ...place,
    ...settings(input),
    ...secretColumns(place, input),
    pausedAt: input.paused ? now : null,
    nextCheckAt: firstCheckAt(input, now),
    createdAt: now,
    updatedAt: now,
  };
}
