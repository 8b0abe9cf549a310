import { LEASE_SECONDS, observeEndpoint } from "@/lib/certificates/check/check";
import { AGENTS_COULD_REPORT } from "@/lib/certificates/check/could-report";
import { ENDPOINT_TO_CHECK_COLUMNS, type EndpointToCheck } from "@/lib/certificates/record/endpoint-to-check";
import { type Result, recordResults } from "@/lib/certificates/record/record-results";
import { dueChecks } from "@/lib/jobs/due-checks";
import { processorTime } from "@/lib/jobs/processor-time";

/**
 * Minutes after which an agent that has not reported a due endpoint counts as silent: twice the longest pause between two requests that
 * its program permits.
 */
export const AGENT_GRACE_MINUTES = 10;

/** Leases due endpoints, and checks due endpoints until none are left. */
export const { lease: leaseDueEndpoints, run: checkDueEndpoints } = dueChecks<EndpointToCheck, Result>({
  what: "certificate check",
  kind: "certificate_check",
  table: "certificate_endpoints",
  columns: ENDPOINT_TO_CHECK_COLUMNS,
  // An agent's endpoints only once the agent is overdue: they are then found unreachable.
  isActive: `(t.agent_id IS NULL OR t.next_check_at <= now() - interval '${AGENT_GRACE_MINUTES} minutes' AND ${AGENTS_COULD_REPORT})`,
  leaseSeconds: LEASE_SECONDS,
  check: (endpoint, limits) => {
    processorTime().require(endpoint.organizationId);
    return observeEndpoint(endpoint, limits);
  },
  record: recordResults,
});
