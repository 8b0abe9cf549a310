import { pool } from "@/lib/db/app";
import { inSteps } from "@/lib/db/in-steps";

/** Longer than an invitation lasts, and than anybody needs who was removed by mistake. */
const KEPT_DAYS = 30;

/** The worker's job: deletes people who are a member of nothing and have no session left. Signing in makes them known again. */
export async function expirePeople(signal: AbortSignal): Promise<void> {
  await inSteps(
    async (size) => {
      const { rowCount } = await pool().query(
        `DELETE FROM users WHERE id = ANY (ARRAY(
           SELECT id FROM users u WHERE created_at < now() - make_interval(days => ${KEPT_DAYS})
             AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)
             AND NOT EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id)
           LIMIT ${size}))`,
      );
      return rowCount === size;
    },
    () => signal.aborted,
  );
}
