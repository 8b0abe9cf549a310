import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { inSteps } from "@/lib/db/in-steps";

/**
 * Deletes the people who meet a condition on their memberships, in short steps that commit separately. Nobody becomes a member while
 * their row is locked, and the second statement sees who became one before: a deletion would take that membership too. Returns false
 * if `stop` ended it early.
 */
export function deletePeopleInSteps(
  condition: string,
  values: readonly unknown[],
  stop: () => boolean,
): Promise<boolean> {
  return inSteps(
    (size) =>
      withTransaction(pool(), async (client) => {
        const { rows } = await client.query<{ id: string }>(
          `SELECT id FROM users WHERE ${condition} ORDER BY id LIMIT ${size} FOR UPDATE`,
          [...values],
        );
        const ids = `$${values.length + 1}::uuid[]`;
        await client.query(`DELETE FROM users WHERE id = ANY (${ids}) AND ${condition}`, [
          ...values,
          rows.map(({ id }) => id),
        ]);
        return rows.length === size;
      }),
    stop,
  );
}
