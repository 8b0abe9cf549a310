import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { firstUnsent } from "@/lib/destinations/lag";
import { freeDestinations } from "@/lib/destinations/sending/lease";

/** Due since the first unsent entry is sealed, or since the end of the wait after a failure. */
const DUE = `SELECT count(*)::integer AS due,
    coalesce(extract(epoch FROM now() - min(greatest(d.next_at, sealed.sealed_at))), 0)::float8 AS age
  FROM unnest($1::uuid[], $2::integer[], $3::bigint[], $4::timestamptz[]) AS d (organization_id, epoch, scanned, next_at)
  JOIN audit_seal_logs l ON l.organization_id = d.organization_id
  LEFT JOIN LATERAL (${firstUnsent("d.organization_id")}) AS sealed ON true
  WHERE l.epoch > d.epoch OR l.signed_size > d.scanned`;

/** The destinations of all organizations that are behind their log and not leased, and for how many seconds the first of them is. */
export async function countDueDestinations(): Promise<{ due: number; age: number }> {
  const total = { due: 0, age: 0 };
  for await (const free of freeDestinations(pool("health"))) {
    const { rows } = await auditPool("health").query<{ due: number; age: number }>(DUE, [
      free.map(({ organization_id }) => organization_id),
      free.map(({ epoch }) => epoch),
      free.map(({ scanned }) => scanned),
      free.map(({ next_at }) => next_at),
    ]);
    total.due += rows[0]?.due ?? 0;
    total.age = Math.max(total.age, rows[0]?.age ?? 0);
  }
  return total;
}
