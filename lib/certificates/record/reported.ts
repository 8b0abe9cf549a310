import type { Observations } from "@/lib/certificates/probe/observation";
import { type EndpointToCheck, readServedChain } from "@/lib/certificates/record/endpoint-to-check";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509/x509";

/** Intervals without a report after which the endpoint counts as unreachable. */
export const REPORT_INTERVALS = 2;

/** A report as an observation. */
export function toObservation(
  [leaf, ...others]: readonly [Certificate, ...Certificate[]],
  observedAt: Date,
): Observations {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null };
  const common = { observedAt, addresses: [], address: null, timings };
  return [{ ...common, outcome: "served", protocol: null, cipher: null, chain: [leaf, ...others], staple: undefined }];
}

/** The last report about an endpoint, to be judged again; a failure if it is too old. */
export async function readReported(endpoint: EndpointToCheck): Promise<Observations> {
  const now = new Date();
  const { reportedAt, intervalSeconds } = endpoint;
  const [leaf, ...others] = (await readServedChain(endpoint)).map(parseCertificate);
  const isFresh =
    reportedAt !== null && now.getTime() - reportedAt.getTime() <= REPORT_INTERVALS * intervalSeconds * 1000;
  if (leaf !== undefined && isFresh) return toObservation([leaf, ...others], now);
  return unreachable(reportedAt === null ? "never_reported" : "no_longer_reported", now);
}

/** The observation of an endpoint that its agent should have checked by now. */
export function agentIsSilent(): Observations {
  return unreachable("agent_silent", new Date());
}

function unreachable(reason: string, observedAt: Date): Observations {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null };
  const failure = { kind: "unreachable" as const, reason, detail: null };
  return [{ observedAt, addresses: [], address: null, timings, outcome: "failed", failure }];
}
