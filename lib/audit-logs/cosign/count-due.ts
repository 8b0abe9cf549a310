import { BEHIND, FREE } from "@/lib/audit-logs/cosign/lease-witnesses";
import { auditPool } from "@/lib/db/audit";

/** Due since its last cosignature, or since the end of the wait after a failure. */
const DUE = `SELECT count(*)::integer AS due,
    coalesce(extract(epoch FROM now() - min(greatest(next_at, coalesce(cosigned_at, added_at)))), 0)::float8 AS age
  FROM ${FREE} AND (${BEHIND})`;

/** The witnesses that have not cosigned the newest round and are not leased, and for how many seconds the first of them is due. */
export async function countDueWitnesses(): Promise<{ due: number; age: number }> {
  const { rows } = await auditPool("health").query<{ due: number; age: number }>(DUE);
  return rows[0] ?? { due: 0, age: 0 };
}
