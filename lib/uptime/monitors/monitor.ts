import { type RecordedFields, Secret, withoutQuery } from "@/lib/audit-logs/write/changes";
import { db, type Transaction } from "@/lib/db/app";
import type { UptimeCheck as CheckRow, UptimeMonitor as Row } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";
import { idTime } from "@/lib/ids";
import { assertionsOf, type StoredAssertions } from "@/lib/uptime/assertions";
import type { ShownAuthentication } from "@/lib/uptime/authentication";
import type { MonitorToCheck } from "@/lib/uptime/checks/check";
import type { UptimeCheck } from "@/lib/uptime/checks-contract";
import type { Monitor, MonitorStatus } from "@/lib/uptime/contract";
import type { FailureReason } from "@/lib/uptime/failure-reasons";
import type { MonitorInput } from "@/lib/uptime/fields";
import { plainHeaders, shownAuthenticationOf } from "@/lib/uptime/secrets";
import { typeSettingsOf } from "@/lib/uptime/type-settings";

/** `last_check` as record-outcomes.ts writes it. */
type LastCheck = {
  id: string;
  ok: boolean;
  maintenance: boolean;
  reason: string | null;
  detail: string | null;
  status_code: number | null;
  address: string | null;
  dns_us: number | null;
  connect_us: number | null;
  tls_us: number | null;
  ttfb_us: number | null;
  total_us: number;
};

const NO_AUTHENTICATION: ShownAuthentication = { type: "none", username: null, certificate: null };

function ms(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / 1000;
}

function toShape(check: LastCheck): UptimeCheck {
  return {
    id: check.id,
    checked_at: new Date(idTime(check.id)).toISOString(),
    ok: check.ok,
    maintenance: check.maintenance,
    reason: check.reason as FailureReason | null,
    detail: check.detail,
    status_code: check.status_code,
    address: check.address,
    dns_ms: ms(check.dns_us),
    connect_ms: ms(check.connect_us),
    tls_ms: ms(check.tls_us),
    ttfb_ms: ms(check.ttfb_us),
    total_ms: check.total_us / 1000,
  };
}

/** A check as the contract shows it. */
export function toUptimeCheck({ statusCode, dnsUs, connectUs, tlsUs, ttfbUs, totalUs, ...row }: CheckRow): UptimeCheck {
  return toShape({
    ...row,
    status_code: statusCode,
    dns_us: dnsUs,
    connect_us: connectUs,
    tls_us: tlsUs,
    ttfb_us: ttfbUs,
    total_us: totalUs,
  });
}

/** The settings that a monitor's input and its output have in common. */
export function toSettings(row: Row) {
  return {
    request_body: row.requestBody,
    expected_status: row.expectedStatus,
    expected_text: row.expectedText,
    ...assertionsOf(row.assertions as StoredAssertions),
    follow_redirects: row.followRedirects,
    trust_store_id: row.trustStoreId,
    verify_tls: row.verifyTls,
    dns: typeSettingsOf(row).dns ?? null,
    tcp: typeSettingsOf(row).tcp ?? null,
    ping: typeSettingsOf(row).ping ?? null,
    ip_version: row.ipVersion as MonitorInput["ip_version"],
    interval_seconds: row.intervalSeconds,
    grace_seconds: row.graceSeconds,
    timeout_seconds: row.timeoutSeconds,
    failure_threshold: row.failureThreshold,
    recovery_threshold: row.recoveryThreshold,
    tags: row.tags,
  };
}

/** A monitor as the contract shows it. */
export function toMonitor(row: Row): Monitor {
  return {
    id: row.id,
    name: row.name,
    type: row.type as Monitor["type"],
    target: row.target,
    method: row.method as Monitor["method"],
    header_names: headerNamesOf(row),
    authentication: shownOf(row),
    ...toSettings(row),
    status: row.pausedAt === null ? (row.status as MonitorStatus) : "paused",
    status_since: (row.pausedAt ?? row.statusSince)?.toISOString() ?? null,
    last_check: row.lastCheck === null ? null : toShape(row.lastCheck as LastCheck),
    next_check_at: row.pausedAt === null ? row.nextCheckAt.toISOString() : null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The names of a monitor's headers. */
export function headerNamesOf(row: Pick<Row, "headers" | "headerNames">): string[] {
  const plain = Object.keys(plainHeaders(row));
  return plain.length > 0 ? plain : row.headerNames;
}

/** What is shown of a monitor's authentication. */
export function shownOf({ authentication }: Pick<Row, "authentication">): ShownAuthentication {
  return { ...NO_AUTHENTICATION, ...(authentication as Partial<ShownAuthentication>) };
}

/** The fields of a monitor whose changes are recorded. Headers hold credentials, and so may the query of a URL. */
export function recordedMonitor({ headers, authentication, target, ...fields }: MonitorInput): RecordedFields {
  const isNone = authentication.type === "none";
  return {
    ...fields,
    target: withoutQuery(target),
    headers: new Secret(headers, Object.keys(headers)),
    authentication: isNone ? new Secret(null) : new Secret(authentication, shownAuthenticationOf(authentication)),
  };
}

/** The fields of a monitor that a check needs. */
export function toMonitorToCheck(row: Row): MonitorToCheck {
  return { ...row, assertions: row.assertions as StoredAssertions, typeSettings: typeSettingsOf(row) };
}

/** One monitor of the organization. Throws 404. */
export async function readMonitor(
  organizationId: string,
  id: string,
  tx: Pick<Transaction, "uptimeMonitor"> = db(),
): Promise<Row> {
  const row = await tx.uptimeMonitor.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return row;
}
