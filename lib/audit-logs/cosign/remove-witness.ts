import { draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { auditPool } from "@/lib/db/audit";
import { notFound } from "@/lib/http/errors";

/** Removes a witness, which is not asked any more and stops nothing. What it has cosigned stays. Throws 404. */
export async function removeWitness(name: string): Promise<{ name: string; vkey: string; url: string }> {
  const event = draftStorage.getStore();
  event?.resource("audit_log", null);
  if (event !== undefined) event.row.details = { name: name.slice(0, 100) };
  const { rows } = await auditPool().query<{ name: string; vkey: string; url: string }>(
    "DELETE FROM audit_seal_witnesses WHERE name = $1 RETURNING name, vkey, url",
    [name],
  );
  const [removed] = rows;
  if (removed === undefined) throw notFound();
  if (event !== undefined) event.row.details = { name, vkey: removed.vkey };
  return removed;
}
