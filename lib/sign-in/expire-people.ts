import { pool } from "@/lib/db/app";
import { deletePeopleInSteps } from "@/lib/db/delete-people-in-steps";
import { inSteps } from "@/lib/db/in-steps";

/** Longer than invitations are valid, and long enough to restore somebody who was removed by mistake. */
const KEPT_DAYS = 30;
const IS_NO_MEMBER = "NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id)";

/**
 * Worker job: deletes people who have been without memberships for a month and have no sessions. They are created again when they sign
 * in; then the organizations that they had created would no longer count as theirs, so people stay as long as one of those exists.
 */
export async function expirePeople(signal: AbortSignal): Promise<void> {
  const stop = () => signal.aborted;
  if (!(await noteWhoLeft(stop))) return;
  const condition = `left_at < now() - make_interval(days => ${KEPT_DAYS}) AND ${IS_NO_MEMBER}
    AND NOT EXISTS (SELECT FROM sessions s WHERE s.user_id = users.id)
    AND NOT EXISTS (SELECT FROM organizations o WHERE o.created_by = users.id)`;
  await deletePeopleInSteps(condition, [], stop);
}

/**
 * Notes since when people have no membership, and takes the note from those who have one again. The job does that, however memberships
 * end: requests would lock people after organizations, and sign-ins do it the other way round. Returns false if `stop` ended it early.
 */
async function noteWhoLeft(stop: () => boolean): Promise<boolean> {
  const isNoted = await setLeftAt("now()", `left_at IS NULL AND ${IS_NO_MEMBER}`, stop);
  return isNoted && setLeftAt("NULL", `left_at IS NOT NULL AND NOT ${IS_NO_MEMBER}`, stop);
}

function setLeftAt(value: string, condition: string, stop: () => boolean): Promise<boolean> {
  return inSteps(async (size) => {
    const { rowCount } = await pool().query(
      `UPDATE users SET left_at = ${value}
       FROM (SELECT id FROM users WHERE ${condition} ORDER BY id LIMIT ${size} FOR NO KEY UPDATE) AS found
       WHERE users.id = found.id`,
    );
    return rowCount === size;
  }, stop);
}
