import { LEASE_SECONDS, observeEndpoint } from "@/lib/certificates/check/check";
import { ENDPOINT_TO_CHECK_COLUMNS, type EndpointToCheck } from "@/lib/certificates/record/endpoint-to-check";
import { type Result, recordResults } from "@/lib/certificates/record/record-results";
import { dueChecks } from "@/lib/jobs/due-checks";

/** Leases due endpoints, and checks due endpoints until none are left. */
export const { lease: leaseDueEndpoints, run: checkDueEndpoints } = dueChecks<EndpointToCheck, Result>({
  what: "certificate check",
  table: "certificate_endpoints",
  columns: ENDPOINT_TO_CHECK_COLUMNS,
  isActive: "true",
  leaseSeconds: LEASE_SECONDS,
  check: observeEndpoint,
  record: recordResults,
});
