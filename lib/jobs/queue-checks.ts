import { pool } from "@/lib/db/app";

/** Targets of an organization: those with the ids, or all with the tag. */
interface Chosen {
  organizationId: string;
  ids: readonly string[] | undefined;
  tag: string | undefined;
}

/**
 * Makes chosen targets due, behind those that are due already, because the oldest is checked first. Those that were checked less than
 * `restSeconds` ago stay as they are; a time in the future is that of a wrong clock and does not count. `isChecked` is a condition on the
 * row `t`. Returns how many of the chosen targets are due.
 */
export async function queueChecks(
  table: "certificate_endpoints" | "uptime_monitors",
  isChecked: string,
  { organizationId, ids, tag }: Chosen,
  restSeconds: number,
): Promise<number> {
  const isChosen = ids === undefined ? "t.tags @> ARRAY[$2::text]" : "t.id = ANY ($2::uuid[])";
  const from = `FROM ${table} t WHERE t.organization_id = $1 AND ${isChecked} AND ${isChosen}`;
  const { rows } = await pool().query<{ queued: number }>(
    `WITH later AS (
       SELECT t.id ${from} AND t.next_check_at > now()
         AND (t.last_checked_at BETWEEN now() - make_interval(secs => $3) AND now() + make_interval(secs => $3)) IS NOT TRUE
       ORDER BY t.id FOR NO KEY UPDATE
     ), made_due AS (
       UPDATE ${table} t SET next_check_at = now() FROM later WHERE t.organization_id = $1 AND t.id = later.id
     )
     SELECT (count(*) + (SELECT count(*) FROM later))::integer AS queued ${from} AND t.next_check_at <= now()`,
    [organizationId, ids ?? tag, restSeconds],
  );
  return rows[0]?.queued ?? 0;
}
