import {
  fetchMissingIssuers,
  type IssuerSources,
  makeIssuerSources,
} from "@/lib/certificates/check/fetch-missing-issuers";
import { findRefusals } from "@/lib/certificates/check/second-opinion";
import type { Observations } from "@/lib/certificates/probe/observation";
import { type ProbeOptions, probe } from "@/lib/certificates/probe/probe";
import { type EndpointToCheck, readEndpointToCheck, trustOf } from "@/lib/certificates/record/endpoint-to-check";
import { readKnownIssuers } from "@/lib/certificates/record/known-issuers";
import { type Result, recordResults } from "@/lib/certificates/record/record-results";
import { agentIsSilent, readReported } from "@/lib/certificates/record/reported";
import { config } from "@/lib/config";
import { processSingleton } from "@/lib/process-singleton";

/** Seconds that a process has to check an endpoint and record the result, before another process repeats it. */
export const LEASE_SECONDS = 60;

/** The context of a check: how to cancel it, and how it waits for its turn at an address. */
type CheckContext = Pick<ProbeOptions, "enter" | "signal">;

function sources(): IssuerSources {
  const guard = () => ({ allowedNetworks: config().PROBE_ALLOWED_NETWORKS });
  return processSingleton("certificates.sources", () => makeIssuerSources(guard));
}

async function observe(endpoint: EndpointToCheck, context: CheckContext): Promise<Observations> {
  const { host, port, protocol, sni, connectTo, addressMode, reported, agentId } = endpoint;
  if (agentId !== null) return agentIsSilent();
  if (reported) return readReported(endpoint);
  const target = { host, port, protocol, sni: sni || null, connectTo: connectTo || null, addressMode };
  return probe(target, { allowedNetworks: config().PROBE_ALLOWED_NETWORKS, ...context });
}

/** Observations with everything needed to judge them. Rejects without a database. */
export async function toResult(endpoint: EndpointToCheck, observations: Observations): Promise<Result> {
  const trust = await trustOf(endpoint);
  return {
    endpoint,
    observations,
    trust,
    ...(await fetchMissingIssuers(observations, trust, sources(), (subject) =>
      readKnownIssuers(endpoint.organizationId, subject),
    )),
    refusals: await findRefusals(observations, trust),
    isRequested: false,
  };
}

/** Checks an endpoint under this installation's rules. Rejects if `signal` aborts, `enter` rejects or without a database. */
export async function observeEndpoint(endpoint: EndpointToCheck, context: CheckContext = {}): Promise<Result> {
  const result = await toResult(endpoint, await observe(endpoint, context));
  return { ...result, isRequested: endpoint.agentId !== null };
}

/** Checks an endpoint now and records the result. May take ten seconds: never call it within a transaction. */
export async function check(organizationId: string, id: string): Promise<void> {
  const endpoint = await readEndpointToCheck(organizationId, id);
  if (endpoint !== null) await recordResults([{ ...(await observeEndpoint(endpoint)), isRequested: true }]);
}
