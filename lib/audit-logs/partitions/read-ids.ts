import type pg from "pg";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";

/**
 * The first `limit` ids of an organization's stored events between two ids, both exclusive, in order. The index has the order of ids
 * within a class, so each class is read by itself: together, all later events would be read and sorted for every page.
 */
export async function readIds(
  database: Pick<pg.ClientBase, "query">,
  organizationId: string,
  after: string,
  end: string,
  limit: number,
): Promise<string[]> {
  const ofClass = (days: number) =>
    `(SELECT id FROM audit_events WHERE organization_id = $1 AND retention_days = ${days} AND id > $2 AND id < $3 ORDER BY id LIMIT $4)`;
  const { rows } = await database.query<{ id: string }>(
    `${CLASSES.map(ofClass).join(" UNION ")} ORDER BY id LIMIT $4`,
    [organizationId, after, end, limit],
  );
  return rows.map(({ id }) => id);
}
