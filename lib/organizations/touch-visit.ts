import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** A person who was away for longer comes for a new visit. */
const VISIT_ENDS_AFTER = "30 minutes";

/**
 * Notes that a member is here now. Returns when their visit before this one ended; null for a first visit, and for who is no
 * person. It is the reader's own bookmark rather than something of the organization's, so it leaves no event.
 */
export async function touchVisit({ organizationId, actor }: Principal): Promise<Date | null> {
  if (actor.type !== "user") return null;
  const { rows } = await pool().query<{ previous_visit_at: Date | null }>(
    `UPDATE memberships SET last_seen_at = now(),
       previous_visit_at = CASE WHEN last_seen_at < now() - interval '${VISIT_ENDS_AFTER}' THEN last_seen_at ELSE previous_visit_at END
     WHERE organization_id = $1 AND user_id = $2 RETURNING previous_visit_at`,
    [organizationId, actor.id],
  );
  return rows[0]?.previous_visit_at ?? null;
}
