import {
  type reportAsAgent as contract,
  MAX_REPORT_AGE_HOURS,
  type ReportedObservation,
} from "@/lib/certificates/agents/agent-contract";
import { readAgent } from "@/lib/certificates/agents/agent-row";
import { isSignedBy } from "@/lib/certificates/agents/report-signature";
import { recordReport } from "@/lib/certificates/agents/touch-agent";
import { toResult } from "@/lib/certificates/check/check";
import { verifyChains } from "@/lib/certificates/check/verify-chains";
import type { Observation, Observations } from "@/lib/certificates/probe/observation";
import { readEndpointsOfAgent, trustOf } from "@/lib/certificates/record/endpoint-to-check";
import { recordResults } from "@/lib/certificates/record/record-results";
import { MalformedCertificate, parseTogether } from "@/lib/certificates/x509/x509";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, invalid } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { mapInTurns } from "@/lib/turns";

/** Maximum time that an agent's clock may be ahead, in milliseconds. */
const MAX_AHEAD_MS = 300_000;

type Reported = Input<typeof contract>["results"][number];

/**
 * Records what an agent observed, as checks of these endpoints. The report counts as received only once it is recorded: if the agent
 * has to repeat it, its results are outdated, and are dropped. Throws 400, 403, 404, 409.
 */
export async function reportAsAgent(
  principal: Principal,
  { id, signature, ...report }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const { sequence, signed_at, results } = report;
  const agent = await readAgent(principal, id);
  if (agent.publicKey === null) throw new ApiError("CONFLICT", "This agent has not enrolled a key yet.");
  if (!isSignedBy(agent.publicKey, id, report, signature))
    throw new ApiError(
      "INVALID_SIGNATURE",
      "The signature is not one of this report by the key that the agent enrolled.",
    );
  if (sequence <= agent.lastSequence) throw replayed(agent.lastSequence);
  refuseTimes(signed_at, results);
  const repeated = results.findIndex(
    (one, at) => results.findIndex((other) => other.endpoint_id === one.endpoint_id) < at,
  );
  if (repeated !== -1) throw invalid(`results.${repeated}.endpoint_id`, "occurs twice in this report");
  const reportedOf = new Map(results.map((each) => [each.endpoint_id, each]));
  const endpoints = await readEndpointsOfAgent(organizationId, id, [...reportedOf.keys()]);
  const current = endpoints.flatMap((endpoint) => {
    const reported = reportedOf.get(endpoint.id);
    return reported?.version === endpoint.version ? [{ endpoint, reported }] : [];
  });
  // One after the other, because reading and verifying keep the process from everything else; what follows mostly waits.
  const observed = await mapInTurns(current, async ({ endpoint, reported }) => {
    const observations = toObservations(reported);
    await verifyChains(organizationId, observations, await trustOf(endpoint));
    return { endpoint, observations };
  });
  const checked = await Promise.all(
    observed.map(async ({ endpoint, observations }) => ({
      ...(await toResult(endpoint, observations)),
      isReport: true,
    })),
  );
  await recordResults(checked);
  if (!(await recordReport(agent, report))) throw replayed(sequence);
  return { sequence, recorded: checked.length, skipped: results.length - checked.length };
}

function replayed(last: number): ApiError {
  return new ApiError("REPORT_REPLAYED", `The last report of this agent has the sequence number ${last}.`);
}

/** Throws REPORT_EXPIRED for an old report, 400 for times in the future. */
function refuseTimes(signedAt: string, results: readonly Reported[]): void {
  const now = Date.now();
  const isAhead = (time: string) => Date.parse(time) > now + MAX_AHEAD_MS;
  const ahead = "is in the future; set the clock of the agent's machine";
  if (isAhead(signedAt)) throw invalid("signed_at", ahead);
  if (Date.parse(signedAt) < now - MAX_REPORT_AGE_HOURS * 3_600_000)
    throw new ApiError("REPORT_EXPIRED", `The report was signed more than ${MAX_REPORT_AGE_HOURS} hours ago.`);
  const at = results.findIndex(({ observed_at }) => isAhead(observed_at));
  if (at !== -1) throw invalid(`results.${at}.observed_at`, ahead);
}

function toObservations({ observed_at, observations }: Reported): Observations {
  const observedAt = new Date(Math.min(Date.parse(observed_at), Date.now()));
  const addresses = observations.flatMap(({ address }) => address ?? []);
  const [first, ...others] = observations.map((each) => toObservation(each, { observedAt, addresses }));
  if (first === undefined) throw invalid("results", "must have observations");
  return [first, ...others];
}

function toObservation(
  reported: ReportedObservation,
  seen: Pick<Observation, "observedAt" | "addresses">,
): Observation {
  const { dns_ms: dnsMs, connect_ms: connectMs, tls_ms: tlsMs } = reported.timings;
  const common = { ...seen, address: reported.address, timings: { dnsMs, connectMs, tlsMs } };
  if (reported.outcome === "failed") {
    const { kind, reason, detail } = reported;
    return { ...common, outcome: "failed", failure: { kind, reason, detail } };
  }
  const { protocol, cipher } = reported;
  try {
    const [leaf, ...issuers] = parseTogether(reported.chain.map((der) => Buffer.from(der, "base64")));
    if (leaf === undefined) throw new MalformedCertificate("no certificate");
    return { ...common, outcome: "served", protocol, cipher, chain: [leaf, ...issuers], staple: undefined };
  } catch (error) {
    if (!(error instanceof MalformedCertificate)) throw error;
    const failure = { kind: "tls_handshake_failed", reason: "malformed_certificate", detail: error.message } as const;
    return { ...common, outcome: "failed", failure };
  }
}
