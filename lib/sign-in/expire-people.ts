import { deleteInSteps } from "@/lib/db/delete-in-steps";

/** Longer than an invitation lasts, and than anybody needs who was removed by mistake. */
const KEPT_DAYS = 30;

/** The worker's job: deletes people who are a member of nothing and have no session left. Signing in makes them known again. */
export async function expirePeople(signal: AbortSignal): Promise<void> {
  const condition = `created_at < now() - make_interval(days => ${KEPT_DAYS})
    AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id)
    AND NOT EXISTS (SELECT FROM sessions s WHERE s.user_id = users.id)`;
  await deleteInSteps("users", condition, [], () => signal.aborted);
}
