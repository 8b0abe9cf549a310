import { deletePeopleInSteps } from "@/lib/db/delete-people-in-steps";

/** Longer than invitations are valid, and long enough to restore somebody who was removed by mistake. */
const KEPT_DAYS = 30;

/**
 * Worker job: deletes people without memberships and sessions. They are created again when they sign in; then the organizations that
 * they had created would no longer count as theirs, so people stay as long as one of those exists.
 */
export async function expirePeople(signal: AbortSignal): Promise<void> {
  const condition = `created_at < now() - make_interval(days => ${KEPT_DAYS})
    AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id)
    AND NOT EXISTS (SELECT FROM sessions s WHERE s.user_id = users.id)
    AND NOT EXISTS (SELECT FROM organizations o WHERE o.created_by = users.id)`;
  await deletePeopleInSteps(condition, [], () => signal.aborted);
}
