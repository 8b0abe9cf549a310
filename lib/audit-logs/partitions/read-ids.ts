import type pg from "pg";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { SPAN_MS } from "@/lib/audit-logs/partitions/spans";
import { idAt, idTime } from "@/lib/ids";

/** The next ids of stored events, in order. */
interface IdPage {
  ids: string[];
  /** What these ids are complete up to: the last of them, or where the page ended without being full. */
  until: string;
}

/**
 * The next ids of an organization's stored events between two ids, both exclusive: up to `limit`, and not more than are in `SPAN_MS`. The
 * index has the order of ids within a class, so each class is read by itself: together, the whole span would be read and sorted.
 */
export async function readIds(
  database: Pick<pg.ClientBase, "query">,
  organizationId: string,
  after: string,
  end: string,
  limit: number,
): Promise<IdPage> {
  const spanned = idAt(idTime(after) + SPAN_MS);
  const to = spanned < end ? spanned : end;
  const ofClass = (days: number) =>
    `(SELECT id FROM audit_events WHERE organization_id = $1 AND retention_days = ${days} AND id > $2 AND id < $3 ORDER BY id LIMIT $4)`;
  const { rows } = await database.query<{ id: string }>(
    `${CLASSES.map(ofClass).join(" UNION ")} ORDER BY id LIMIT $4`,
    [organizationId, after, to, limit],
  );
  const ids = rows.map(({ id }) => id);
  return { ids, until: ids.length < limit ? to : (ids.at(-1) ?? to) };
}
