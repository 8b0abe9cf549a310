/**
 * SQL for the person for whom an organization `o` counts in limits per person: its creator while a member, else its longest-standing
 * admin, so that creators who leave gain no shares. Null without an admin, and for those that the operator created: they count alone.
 */
export const CREATOR_OR_SUCCESSOR = `CASE WHEN o.created_by IS NOT NULL THEN coalesce(
  (SELECT m.user_id FROM memberships m WHERE m.organization_id = o.id AND m.user_id = o.created_by),
  (SELECT m.user_id FROM memberships m WHERE m.organization_id = o.id AND m.permission = 'admin'
   ORDER BY m.created_at, m.user_id LIMIT 1)) END`;
