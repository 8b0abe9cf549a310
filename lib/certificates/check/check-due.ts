import { LEASE_SECONDS, observeEndpoint } from "@/lib/certificates/check/check";
import { ENDPOINT_TO_CHECK_COLUMNS, type EndpointToCheck } from "@/lib/certificates/record/endpoint-to-check";
import { type Result, recordResults } from "@/lib/certificates/record/record-results";
import { pool } from "@/lib/db/app";
import { fairLease, fairLeaseValues, postponeChecks } from "@/lib/jobs/fair-lease";
import { runLeasedWork } from "@/lib/jobs/leased-work";
import { HostBusy, PerHostLimiter } from "@/lib/jobs/per-host-limiter";
import { processSingleton } from "@/lib/process-singleton";

/** Concurrent checks per process. */
const LIMITS = { perHost: 12, perOrganization: 8, waiting: 32, waitMs: 5_000 };

/** Returned instead of a result if the address had no free slot. */
interface Postponed {
  endpoint: EndpointToCheck;
  isPostponed: true;
}

const IS_DUE = "e.next_check_at <= now() AND (e.leased_until IS NULL OR e.leased_until <= now())";

const LEASE = `WITH ${fairLease({
  isWaiting: `EXISTS (SELECT FROM certificate_endpoints e WHERE e.organization_id = o.id AND ${IS_DUE})`,
  candidates: (limit) => `SELECT e.organization_id, e.id, e.next_check_at AS due_at FROM certificate_endpoints e
    WHERE e.organization_id = waiting.organization_id AND ${IS_DUE} ORDER BY e.next_check_at ${limit} FOR UPDATE SKIP LOCKED`,
})}
  UPDATE certificate_endpoints e SET leased_until = now() + make_interval(secs => $6)
  FROM due WHERE e.organization_id = due.organization_id AND e.id = due.id
  RETURNING ${ENDPOINT_TO_CHECK_COLUMNS}`;

/** Leases up to `most` due endpoints to this process in fair shares. Those of a crashed process are due again after the lease. */
export async function leaseDueEndpoints(most: number, running: readonly EndpointToCheck[]): Promise<EndpointToCheck[]> {
  const { rows } = await pool().query<EndpointToCheck>(LEASE, [...fairLeaseValues(most, running), LEASE_SECONDS]);
  return rows;
}

async function write(all: readonly (Result | Postponed)[]): Promise<void> {
  const results = all.flatMap((each) => ("isPostponed" in each ? [] : [each]));
  if (results.length > 0) await recordResults(results);
  await postponeChecks(
    "certificate_endpoints",
    all.flatMap((each) => ("isPostponed" in each ? [each.endpoint] : [])),
  );
}

/** Checks due endpoints until none are left. Leases divide the work among several processes. */
export function checkDueEndpoints(signal: AbortSignal): Promise<void> {
  const limiter = processSingleton("certificates.per-host-limiter", () => new PerHostLimiter(LIMITS));
  const work = (endpoint: EndpointToCheck): Promise<Result | Postponed> => {
    const enter = (addresses: readonly string[]) => limiter.enter(endpoint.organizationId, addresses, signal);
    return observeEndpoint(endpoint, { signal, enter }).catch((error: unknown) => {
      if (error instanceof HostBusy) return { endpoint, isPostponed: true };
      throw error;
    });
  };
  const idOf = ({ endpoint }: Result | Postponed) => endpoint.id;
  return runLeasedWork({ what: "certificate check", lease: leaseDueEndpoints, work, idOf, write }, signal);
}
