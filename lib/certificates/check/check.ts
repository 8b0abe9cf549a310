import {
  fetchMissingIssuers,
  type IssuerSources,
  type MissingIssuers,
  makeIssuerSources,
} from "@/lib/certificates/check/fetch-missing-issuers";
import { agentIsSilent, readReported } from "@/lib/certificates/check/reported";
import { findRefusals } from "@/lib/certificates/check/second-opinion";
import { verifyChains } from "@/lib/certificates/check/verify-chains";
import { primary } from "@/lib/certificates/judge/judge";
import type { Observations } from "@/lib/certificates/probe/observation";
import { type ProbeOptions, probe } from "@/lib/certificates/probe/probe";
import { type EndpointToCheck, readEndpointToCheck, trustOf } from "@/lib/certificates/record/endpoint-to-check";
import { readKnownIssuers } from "@/lib/certificates/record/known-issuers";
import { type Result, recordResults } from "@/lib/certificates/record/record-results";
import { soonestScan } from "@/lib/certificates/record/scans";
import { type Scan, scan } from "@/lib/certificates/scan/scan";
import type { Target } from "@/lib/certificates/targets";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import type { Certificate } from "@/lib/certificates/x509/x509";
import { config } from "@/lib/config";
import { logFailure } from "@/lib/db/outage-log";
import { isUnavailable } from "@/lib/db/unavailable";
import { processSingleton } from "@/lib/process-singleton";
import { span } from "@/lib/tracing/span";

/** Seconds that a process has to check an endpoint and record the result, before another process repeats it. */
export const LEASE_SECONDS = 60;

/** The context of a check: how to cancel it, and how it waits for its turn at an address. */
type CheckContext = Pick<ProbeOptions, "enter" | "signal">;

function sources(): IssuerSources {
  const guard = () => ({ allowedNetworks: config().PROBE_ALLOWED_NETWORKS });
  return processSingleton("certificates.sources", () => makeIssuerSources(guard));
}

async function observe(endpoint: EndpointToCheck, context: CheckContext): Promise<Observations> {
  if (endpoint.agentId !== null) return agentIsSilent();
  if (endpoint.reported) return readReported(endpoint);
  const options = { allowedNetworks: config().PROBE_ALLOWED_NETWORKS, ...context };
  const of = { "sealwatch.certificate_endpoint_id": endpoint.id, "sealwatch.protocol": endpoint.protocol };
  return span("probe endpoint", of, () => probe(targetOf(endpoint), options), "client");
}

function targetOf({ host, port, protocol, sni, connectTo, addressMode }: EndpointToCheck): Target {
  return { host, port, protocol, sni: sni || null, connectTo: connectTo || null, addressMode };
}

/** Scans the address that a check saw. Null if it saw none, or if the scan says nothing. Rejects if `signal` aborts or `enter` rejects. */
async function scanAddress(
  endpoint: EndpointToCheck,
  observations: Observations,
  { enter, signal }: CheckContext,
): Promise<Scan | null> {
  const served = primary(observations, endpoint.leafSha256 ?? undefined);
  if (endpoint.reported || endpoint.agentId !== null || served.outcome === "failed" || served.address === null)
    return null;
  const leave = await enter?.([served.address], signal);
  try {
    return await scan(targetOf(endpoint), { ...served, address: served.address }, signal);
  } catch {
    signal?.throwIfAborted();
    return null;
  } finally {
    leave?.();
  }
}

/** Nothing after an unexpected failure, because the observations are to be recorded nevertheless. */
async function missingIssuers(
  { organizationId, id }: EndpointToCheck,
  observations: Observations,
  trust: TrustStore,
  signal: AbortSignal | undefined,
): Promise<MissingIssuers> {
  const known = (subject: Certificate) => readKnownIssuers(organizationId, subject);
  try {
    return await fetchMissingIssuers(observations, trust, sources(), known, { organizationId, signal });
  } catch (error) {
    if (signal?.aborted || isUnavailable(error)) throw error;
    logFailure("the issuers and the revocation of an endpoint's certificates could not be read", error, { id });
    return { fetched: [], revocation: [], staples: [] };
  }
}

/** Observations with everything needed to judge them. Rejects if `signal` aborts or without a database. */
export async function toResult(
  endpoint: EndpointToCheck,
  observations: Observations,
  scanned: Scan | null = null,
  signal?: AbortSignal,
): Promise<Result> {
  const trust = await trustOf(endpoint);
  const all: Observations = [...observations, ...(scanned?.seen.slice(1) ?? [])];
  await verifyChains(endpoint.organizationId, all, trust);
  return {
    endpoint,
    observations,
    scanned,
    trust,
    ...(await missingIssuers(endpoint, all, trust, signal)),
    refusals: await findRefusals(all, trust),
    isRequested: false,
  };
}

/** Checks an endpoint under this installation's rules. Rejects if `signal` aborts, `enter` rejects or without a database. */
export async function observeEndpoint(endpoint: EndpointToCheck, context: CheckContext = {}): Promise<Result> {
  const observations = await observe(endpoint, context);
  const isScanDue = endpoint.scanDueAt !== null && endpoint.scanDueAt <= new Date();
  const scanned = isScanDue ? await scanAddress(endpoint, observations, context) : null;
  const result = await toResult(endpoint, observations, scanned, context.signal);
  return { ...result, isRequested: endpoint.agentId !== null };
}

/**
 * Checks an endpoint now and records the result; with `withScan` also scans it, unless that was done within the last minute. May
 * take 45 seconds: never call it within a transaction.
 */
export async function check(organizationId: string, id: string, withScan = false): Promise<void> {
  const endpoint = await readEndpointToCheck(organizationId, id);
  if (endpoint === null) return;
  const scanDueAt = withScan ? soonestScan(endpoint.scanDueAt) : endpoint.scanDueAt;
  await recordResults([{ ...(await observeEndpoint({ ...endpoint, scanDueAt })), isRequested: true }]);
}
