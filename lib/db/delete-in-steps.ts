import { pool } from "@/lib/db/app";
import { inSteps } from "@/lib/db/in-steps";

/**
 * Deletes the rows of a table of the monitoring database that meet a condition, in short steps that commit separately. Returns false
 * if `stop` ended it early.
 */
export function deleteInSteps(
  table: string,
  condition: string,
  values: readonly unknown[],
  stop: () => boolean,
): Promise<boolean> {
  return inSteps(async (size) => {
    const { rowCount } = await pool().query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${size})) AND ${condition}`,
      [...values],
    );
    return rowCount === size;
  }, stop);
}
