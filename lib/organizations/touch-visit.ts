import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** A person who was away for longer starts a new visit. */
const VISIT_ENDS_AFTER = "30 minutes";

/**
 * Records that a member is here now. Returns when their previous visit ended; null on a first visit and for keys. This is the
 * reader's own bookmark and not data of the organization, so it leaves no event.
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
