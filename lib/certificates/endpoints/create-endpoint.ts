import { isIP } from "node:net";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireRoom } from "@/lib/billing/plan-limits";
import { refuseUncheckable, requireAgent } from "@/lib/certificates/agents/require-agent";
import { check, LEASE_SECONDS } from "@/lib/certificates/check/check";
import { REPORT_INTERVALS } from "@/lib/certificates/check/reported";
import type * as contract from "@/lib/certificates/contract";
import {
  readCertificateEndpoint,
  recordedEndpoint,
  recordedNameOf,
  toNewEndpoint,
} from "@/lib/certificates/endpoints/certificate-endpoint";
import { renewalColumns } from "@/lib/certificates/renewal-fields";
import { usualPorts } from "@/lib/certificates/targets";
import { lockDefaultTrustStore, requireTrustStore } from "@/lib/certificates/trust-stores/require-trust-store";
import { config } from "@/lib/config";
import type { CertificateEndpoint } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import { insertRow } from "@/lib/db/rows/change-row";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { isForbidden } from "@/lib/network/guard";

/** The error for a second one with the same target. */
export const SAME_TARGET = "This host, port, server name and address are already monitored.";

/**
 * Creates an endpoint and checks it immediately; a failed check is no error. Rejects a forbidden address. A name that resolves to
 * one is accepted and found `unreachable` for that reason, because names change. Throws 400, 402, 403, 409.
 */
export async function createCertificateEndpoint(
  principal: Principal,
  input: Input<typeof contract.createCertificateEndpoint>,
): Promise<Output<typeof contract.createCertificateEndpoint>> {
  requireAdmin(principal);
  refuseForbidden(input);
  refuseUncheckable({ ...input, agentId: input.agent_id, connectTo: input.connect_to ?? "" });
  const { organizationId } = principal;
  const now = new Date();
  const row = newEndpoint(organizationId, input, null, now);
  const made = await refuseDuplicate(
    SAME_TARGET,
    auditedTransaction(async (tx, event) => {
      // Trust stores and agents are locked before the organization, as by bulk requests and those about an agent.
      if (input.trust_store_id !== undefined) await requireTrustStore(tx, organizationId, input.trust_store_id);
      await requireAgent(tx, organizationId, input.agent_id);
      const [defaultTrust] = await Promise.all([
        input.trust_store_id === undefined ? lockDefaultTrustStore(tx, organizationId) : null,
        requireRoom(tx, organizationId, "certificate_endpoints", 1),
      ]);
      if (input.trust_store_id === undefined) row.trustStoreId = defaultTrust;
      event.resource("certificate_endpoint", row.id);
      recordChanges(event, recordedNameOf(row), null, recordedEndpoint(row));
      return insertRow<CertificateEndpoint>(tx, "certificate_endpoints", { ...row, ...firstCheck(now, row, true) });
    }),
  );
  if (!isProbed(row)) return toNewEndpoint(made);
  await checkAtOnce(organizationId, row.id);
  return readCertificateEndpoint(organizationId, row.id);
}

/** A new endpoint's row, with `defaultTrust` unless it names a trust store or none; without a lease the worker checks it. */
export function newEndpoint(
  organizationId: string,
  input: Input<typeof contract.createCertificateEndpoint>,
  defaultTrust: string | null,
  now: Date,
) {
  const row = {
    organizationId,
    id: newId(),
    host: input.host,
    port: input.port ?? usualPorts[input.protocol],
    protocol: input.protocol,
    sni: storedSni(input),
    connectTo: input.connect_to ?? "",
    addressMode: input.address_mode,
    intervalSeconds: input.interval_seconds,
    tags: input.tags,
    trustStoreId: input.trust_store_id === undefined ? defaultTrust : input.trust_store_id,
    expectedIssuers: input.expected_issuers,
    expectedAccounts: input.expected_accounts,
    pins: input.pins,
    maxLifetimeDays: input.max_lifetime_days,
    reported: input.reported,
    agentId: input.agent_id,
    ...renewalColumns(input),
    servedChain: [],
    createdAt: now,
    updatedAt: now,
  };
  return { ...row, ...firstCheck(now, row, false) };
}

/** Throws 400 for a forbidden address. */
export function refuseForbidden(target: {
  host?: string;
  connect_to?: string | null;
  reported?: boolean;
  agent_id?: string | null;
}): void {
  if (target.reported || target.agent_id) return;
  for (const field of ["host", "connect_to"] as const) {
    const address = target[field] ?? "";
    if (isIP(address) !== 0 && isForbidden(address, config().PROBE_ALLOWED_NETWORKS)) {
      throw invalid(field, "is in a network that this installation does not probe (PROBE_ALLOWED_NETWORKS)");
    }
  }
}

/** The SNI as stored: empty for the host itself. */
export function storedSni({ host, sni }: { host: string; sni: string | null }): string {
  return sni === null || sni === host ? "" : sni;
}

/** Whether Sealwatch itself connects to an endpoint. */
export function isProbed({ reported, agentId }: { reported: boolean; agentId: string | null }): boolean {
  return !reported && agentId === null;
}

/** The first check of a new target: now, leased if the caller checks it; with reports, when the first report would be late. */
export function firstCheck(
  now: Date,
  target: { reported: boolean; agentId: string | null; intervalSeconds: number },
  atOnce: boolean,
) {
  const { reported, intervalSeconds } = target;
  const at = reported ? new Date(now.getTime() + REPORT_INTERVALS * intervalSeconds * 1000) : now;
  const isLeased = atOnce && isProbed(target);
  return { nextCheckAt: at, leasedUntil: isLeased ? new Date(now.getTime() + LEASE_SECONDS * 1000) : null };
}

/** Checks an endpoint that has just been stored. If the check itself fails, the worker repeats it after the lease. */
export async function checkAtOnce(organizationId: string, id: string): Promise<void> {
  await check(organizationId, id).catch((error: unknown) => {
    logFailure("could not check an endpoint immediately", error, { endpoint_id: id });
  });
}
