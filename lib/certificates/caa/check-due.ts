import { readCaaInTime } from "@/lib/certificates/caa/read-caa";
import { recordNames } from "@/lib/certificates/caa/record-names";
import type { CaaReading } from "@/lib/certificates/issuance/caa-records";
import { dueChecks } from "@/lib/jobs/due-checks";
import { newResolver } from "@/lib/network/name-servers";

/** A name of a certificate whose records are due to be read. */
interface NameToRead {
  organizationId: string;
  id: string;
  name: string;
  leasedUntil: Date;
  /** Whether an endpoint serves a certificate with this name. */
  isInUse: boolean;
}

/** The records; `unused` if no endpoint serves the name any more. */
export interface ReadName {
  name: NameToRead;
  outcome: CaaReading | { error: string } | "unused";
}

const LEASE_SECONDS = 120;
/** Timeout of all queries for a name in milliseconds; with the wait for a slot, well within the lease. */
const DEADLINE_MS = 20_000;
/** Few, because nothing is urgent and name servers are shared. */
const SLOTS = { total: 24, perOrganization: 12 };
/** All queries go to the same name servers, so they share the limit of this host. */
const NAME_SERVERS = "name servers";

/** Reads due names until none are left. */
export const { run: readDueNames } = dueChecks<NameToRead, ReadName>({
  what: "reading of CAA records",
  kind: "caa_reading",
  table: "certificate_names",
  columns: `t.organization_id AS "organizationId", t.id, t.name, t.leased_until AS "leasedUntil", EXISTS (
    SELECT FROM certificates c JOIN certificate_endpoints e ON e.organization_id = c.organization_id AND e.certificate_id = c.id
    WHERE c.organization_id = t.organization_id AND c.sans && ARRAY[t.name, '*.' || t.name]) AS "isInUse"`,
  isActive: "true",
  leaseSeconds: LEASE_SECONDS,
  slots: SLOTS,
  check: async (name, { enter, signal }) => {
    if (!name.isInUse) return { name, outcome: "unused" };
    const leave = await enter([NAME_SERVERS]);
    return { name, outcome: await readCaaInTime(newResolver(), name.name, DEADLINE_MS, signal).finally(leave) };
  },
  record: recordNames,
});
