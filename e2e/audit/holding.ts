import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { SignedIn } from "@/e2e/support/session";
import type { AuditHold } from "@/lib/audit-logs/hold/contract";

/** Places a hold as an admin. */
export async function placeHold(who: SignedIn, filter?: string): Promise<AuditHold> {
  const body = { name: "Case 4711", reason: "Litigation", ...(filter !== undefined && { filter }) };
  const placed = await who.api.post<AuditHold>("/audit-logs/holds", body);
  if (placed.status !== 201) throw new Error(placed.text);
  return placed.data;
}

/** Places a hold as if that had happened `ageMs` ago: it covers what had not expired then. */
export async function placeHoldAgo(
  server: Sealwatch,
  who: SignedIn,
  ageMs: number,
  filter?: string,
): Promise<AuditHold> {
  const hold = await placeHold(who, filter);
  await query(
    server,
    "app",
    `WITH earlier AS (
       UPDATE audit_holds SET covers_since = covers_since - make_interval(secs => $3), placed_at = placed_at - make_interval(secs => $3)
       WHERE organization_id = $1 AND id = $2
     )
     UPDATE organizations SET audit_held_since = audit_held_since - make_interval(secs => $3) WHERE id = $1`,
    [who.organizationId, hold.id, ageMs / 1000],
  );
  return hold;
}

export async function releaseHold(who: SignedIn, { id }: AuditHold): Promise<AuditHold> {
  const released = await who.api.delete<AuditHold>(`/audit-logs/holds/${id}`);
  if (released.status !== 200) throw new Error(released.text);
  return released.data;
}
