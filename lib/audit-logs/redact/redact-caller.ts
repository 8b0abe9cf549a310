import type pg from "pg";
import { SHOWN, type ShownRow, toAuditEvent } from "@/lib/audit-logs/audit-event";
import { uncount } from "@/lib/audit-logs/count/uncount";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { REDACTED_CALLER } from "@/lib/audit-logs/redacted-caller";
import { tokensOf } from "@/lib/audit-logs/tokens";
import { eventParts, partHash } from "@/lib/sealed-log/leaf";
import type { Hash } from "@/lib/sealed-log/tree";

/**
 * Deletes who caused an event and from where, with all that is derived from it: what searches look up, counts by key, address and
 * country, and first uses of a key. The event must be locked. Returns SHA-256(salt ‖ the part's bytes).
 */
export async function redactCaller(
  client: pg.PoolClient,
  organizationId: string,
  id: string,
  salt: Uint8Array,
): Promise<Hash> {
  const own = [organizationId, id, CLASSES];
  const { rows } = await client.query<ShownRow>(
    `SELECT ${SHOWN} FROM audit_events WHERE organization_id = $1 AND id = $2 AND retention_days = ANY($3::smallint[])`,
    own,
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`the event ${id} is missing`);
  await uncount(client, organizationId, id);
  const names = Object.keys(REDACTED_CALLER);
  await client.query(
    `UPDATE audit_events SET ${names.map((name, at) => `${name} = $${at + 5}`).join(", ")}, tokens = $4
     WHERE organization_id = $1 AND id = $2 AND retention_days = ANY($3::smallint[])`,
    [...own, tokensOf({ ...row, ...REDACTED_CALLER }), ...Object.values(REDACTED_CALLER)],
  );
  // A later first use from there has the flag of a new address again.
  await client.query("DELETE FROM audit_sightings WHERE organization_id = $1 AND api_key_id = $3 AND event_id = $2", [
    organizationId,
    id,
    row.api_key_id,
  ]);
  return partHash(salt, eventParts({ ...toAuditEvent(row, null) }, null).caller);
}
