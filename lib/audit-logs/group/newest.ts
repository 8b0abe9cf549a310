import type { Conditions } from "@/lib/audit-logs/conditions";
import { type Filters, isReadInOrder } from "@/lib/audit-logs/filters";

/**
 * The query of columns of the newest events that match, at most `most`. `matching` are the conditions of the filters, with bounds for
 * the id.
 */
export function newestRows(
  matching: Conditions,
  filters: Filters,
  most: number,
  columns: readonly string[] = ["id"],
): string {
  const found = `SELECT ${columns.join(", ")} FROM audit_events WHERE ${matching}`;
  // OFFSET 0 makes the planner use the index of tokens; a range alone is read in order of the primary key.
  const source = isReadInOrder(filters) ? found : `SELECT * FROM (${found} OFFSET 0) AS found`;
  return `${source} ORDER BY id DESC LIMIT ${most}`;
}
