import { isDeepStrictEqual } from "node:util";
import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import { refuseUncheckable, requireAgent } from "@/lib/certificates/agents/require-agent";
import type * as contract from "@/lib/certificates/contract";
import { recordedEndpoint } from "@/lib/certificates/endpoints/certificate-endpoint";
import { firstCheck, isProbed, refuseForbidden, storedSni } from "@/lib/certificates/endpoints/create-endpoint";
import type { Observed } from "@/lib/certificates/record/record-endpoints";
import { renewalColumns } from "@/lib/certificates/renewal-fields";
import { requireTrustStore } from "@/lib/certificates/trust-stores/require-trust-store";
import type { Transaction } from "@/lib/db/app";
import type { CertificateEndpoint } from "@/lib/db/generated/app/client";
import { changeRow } from "@/lib/db/rows/change-row";
import type { Input } from "@/lib/http/endpoint";

export type EndpointChanges = Omit<Input<typeof contract.updateCertificateEndpoint>, "id">;

/** Resets the results of checks, for a new target. */
const NEVER_CHECKED = {
  status: "pending",
  reachability: "unknown",
  reachabilitySince: null,
  failures: 0,
  failingSince: null,
  certificateId: null,
  previousCertificateId: null,
  certificateSince: null,
  servedChain: [],
  expectedChain: [],
  observed: [],
  recentLeaves: null,
  tlsScan: null,
  tlsScanDueAt: null,
  connection: null,
  lastCheckedAt: null,
  reportedAt: null,
  renewalDueAt: null,
  renewalLeads: [],
};

/** The fields that define the target. */
const TARGET = ["host", "port", "protocol", "sni", "connectTo", "reported", "agentId"] as const;

/** The fields that decide which address Sealwatch connects to, if any. */
const REACHED_BY = ["host", "connectTo", "reported", "agentId"] as const;

/** Other settings that checks judge by: findings about alternating certificates do not count after a change. */
const JUDGED_BY = ["trustStoreId", "expectedIssuers", "expectedAccounts", "pins", "maxLifetimeDays"] as const;

/** Ends the findings of an endpoint's old target, and its sightings as of the last check, or of the failure that began since. */
async function endTarget(
  tx: Transaction,
  { organizationId, id, certificateId, observed, failingSince, lastCheckedAt }: CertificateEndpoint,
  now: Date,
) {
  await tx.certificateFinding.updateMany({
    where: { organizationId, endpointId: id, closedAt: null },
    data: { closedAt: now, certificateId, awaitsEvaluation: true },
  });
  await tx.scannedCertificate.deleteMany({ where: { organizationId, endpointId: id } });
  const current = (observed as Observed[]).flatMap(({ address, certificate_id }) =>
    certificate_id === null ? [] : [{ address: address ?? "", certificateId: certificate_id }],
  );
  const lastSeenAt = failingSince ?? lastCheckedAt;
  if (current.length === 0 || lastSeenAt === null) return;
  await tx.certificateSighting.updateMany({
    where: { organizationId, endpointId: id, OR: current },
    data: { lastSeenAt },
  });
}

/**
 * Changes an endpoint; omitted fields stay. With `atOnce` the caller checks it immediately if that is due; otherwise the worker
 * does. Resolves with the fields to record. Throws 400.
 */
export async function changeEndpoint(
  tx: Transaction,
  before: CertificateEndpoint,
  input: EndpointChanges,
  atOnce: boolean,
): Promise<{ after: RecordedFields; isChanged: boolean; isCheckDue: boolean }> {
  const { organizationId } = before;
  const host = input.host ?? before.host;
  const after = {
    host,
    port: input.port ?? before.port,
    protocol: input.protocol ?? before.protocol,
    sni: storedSni({ host, sni: input.sni === undefined ? before.sni : input.sni }),
    connectTo: input.connect_to === undefined ? before.connectTo : (input.connect_to ?? ""),
    reported: input.reported ?? before.reported,
    agentId: input.agent_id === undefined ? before.agentId : input.agent_id,
    addressMode: input.address_mode ?? before.addressMode,
    intervalSeconds: input.interval_seconds ?? before.intervalSeconds,
    trustStoreId: input.trust_store_id === undefined ? before.trustStoreId : input.trust_store_id,
    expectedIssuers: input.expected_issuers ?? before.expectedIssuers,
    expectedAccounts: input.expected_accounts ?? before.expectedAccounts,
    pins: input.pins ?? before.pins,
    maxLifetimeDays: input.max_lifetime_days === undefined ? before.maxLifetimeDays : input.max_lifetime_days,
  };
  // What this installation probed when the endpoint was stored may be forbidden meanwhile: that refuses no other change.
  if (REACHED_BY.some((field) => after[field] !== before[field]))
    refuseForbidden({ host, connect_to: after.connectTo, reported: after.reported, agent_id: after.agentId });
  refuseUncheckable(after);
  await requireTrustStore(tx, organizationId, after.trustStoreId);
  await requireAgent(tx, organizationId, after.agentId);
  const labels = { tags: input.tags ?? before.tags, ...renewalColumns(input, before) };
  const isSame = isDeepStrictEqual(after, pick(before, Object.keys(after) as (keyof typeof after)[]));
  if (isSame && isDeepStrictEqual(labels, pick(before, Object.keys(labels) as (keyof typeof labels)[])))
    return { after: recordedEndpoint(before), isChanged: false, isCheckDue: false };
  const now = new Date();
  const isMoved = TARGET.some((field) => after[field] !== before[field]);
  const isJudgedAnew = JUDGED_BY.some((field) => !isDeepStrictEqual(after[field], before[field]));
  if (isMoved) await endTarget(tx, before, now);
  await changeRow(tx, "certificate_endpoints", before, {
    ...(isMoved && NEVER_CHECKED),
    // A check that is under way used the settings from before: it is not recorded, and the next one follows at once.
    ...((isMoved || isJudgedAnew || after.addressMode !== before.addressMode) && { version: before.version + 1 }),
    ...(isJudgedAnew && { recentLeaves: null, tlsScan: null, tlsScanDueAt: now }),
    ...(!isSame && { ...after, ...(isMoved ? firstCheck(now, after, atOnce) : nextCheck(now, before, after, atOnce)) }),
    ...labels,
    updatedAt: now,
  });
  return { after: recordedEndpoint({ ...after, ...labels }), isChanged: true, isCheckDue: !isSame && isProbed(after) };
}

/**
 * The next check of the same target: now, also of what was last reported. When the first report would be late stays as it is. With another
 * interval there is time for reports at that interval.
 */
function nextCheck(
  now: Date,
  before: CertificateEndpoint,
  after: Parameters<typeof firstCheck>[1],
  atOnce: boolean,
): ReturnType<typeof firstCheck> {
  if (!after.reported || after.intervalSeconds !== before.intervalSeconds) return firstCheck(now, after, atOnce);
  return { nextCheckAt: before.reportedAt === null ? before.nextCheckAt : now, leasedUntil: null };
}

function pick<T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}
