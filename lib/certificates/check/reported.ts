import type { Failure, Observations } from "@/lib/certificates/probe/observation";
import { type EndpointToCheck, readServedChain } from "@/lib/certificates/record/endpoint-to-check";
import { MAX_CHAIN } from "@/lib/certificates/targets";
import { type Certificate, MalformedCertificate, parseTogether } from "@/lib/certificates/x509/x509";
import { pool } from "@/lib/db/app";
import { WEB_STEADY_SINCE } from "@/lib/jobs/web-steady-since";

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

/**
 * Whether no report has come for too long while web processes could take one. An endpoint that was unreachable before an outage stays so
 * until it is reported.
 */
async function isOverdue({ organizationId, id, intervalSeconds }: EndpointToCheck, reportedAt: Date): Promise<boolean> {
  const { rows } = await pool().query<{ overdue: boolean }>(
    `SELECT greatest($1::timestamptz, coalesce(${WEB_STEADY_SINCE}, now())) < now() - make_interval(secs => $2)
       OR EXISTS (SELECT FROM certificate_endpoints WHERE organization_id = $3 AND id = $4
         AND reachability = 'unreachable' AND reachability_since > $1) AS overdue`,
    [reportedAt, REPORT_INTERVALS * intervalSeconds, organizationId, id],
  );
  return rows[0]?.overdue === true;
}

/** The last report about an endpoint, to be judged again; a failure if it is too old. */
export async function readReported(endpoint: EndpointToCheck): Promise<Observations> {
  const now = new Date();
  const { reportedAt } = endpoint;
  if (reportedAt === null) return unreachable("never_reported", now);
  const ders = await readServedChain(endpoint);
  if (ders.length === 0 || (await isOverdue(endpoint, reportedAt))) return unreachable("no_longer_reported", now);
  return readChain(ders, now);
}

/** A stored chain as an observation. This release may be stricter than the one that stored it, which took longer chains. */
function readChain(ders: readonly Uint8Array[], now: Date): Observations {
  try {
    const [leaf, ...others] = parseTogether(ders.slice(0, MAX_CHAIN));
    return leaf === undefined ? unreachable("no_longer_reported", now) : toObservation([leaf, ...others], now);
  } catch (error) {
    if (!(error instanceof MalformedCertificate)) throw error;
    return failed({ kind: "tls_handshake_failed", reason: "malformed_certificate", detail: error.message }, now);
  }
}

/** The observation of an endpoint that its agent should have checked by now. */
export function agentIsSilent(): Observations {
  return unreachable("agent_silent", new Date());
}

function unreachable(reason: string, observedAt: Date): Observations {
  return failed({ kind: "unreachable", reason, detail: null }, observedAt);
}

function failed(failure: Failure, observedAt: Date): Observations {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null };
  return [{ observedAt, addresses: [], address: null, timings, outcome: "failed", failure }];
}
