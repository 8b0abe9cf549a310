import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/calendars/calendar-contract";
import { getCalendar } from "@/lib/certificates/calendars/get-calendar";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Revokes a calendar URL and returns its last state. Throws 403, 404. */
export async function deleteCalendar(
  principal: Principal,
  { id }: Input<typeof contract.deleteCalendar>,
): Promise<Output<typeof contract.deleteCalendar>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const last = await getCalendar(principal, { id });
  await auditedTransaction(async (tx, event) => {
    const { count } = await tx.certificateCalendar.deleteMany({ where: { organizationId, id } });
    if (count === 0) throw notFound();
    event.resource("certificate_calendar", id);
    recordChanges(event, last.name, { name: last.name, tag: last.tag, owner: last.owner, shows: last.shows }, null);
  });
  return last;
}
