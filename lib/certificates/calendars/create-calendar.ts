import { refuseLasting } from "@/lib/api-keys/outlive";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireFewerThan } from "@/lib/billing/fixed-limit";
import { feedUrl, toCalendar } from "@/lib/certificates/calendars/calendar";
import type * as contract from "@/lib/certificates/calendars/calendar-contract";
import { MAX_CALENDARS } from "@/lib/certificates/calendars/calendar-contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

/** Creates a calendar URL for expirations or renewals. Throws 403, and 409 if the organization has the most calendars. */
export async function createCalendar(
  principal: Principal,
  { name, ...shown }: Input<typeof contract.createCalendar>,
): Promise<Output<typeof contract.createCalendar>> {
  requireAdmin(principal);
  const row = { organizationId: principal.organizationId, id: newId(), name, ...shown, createdAt: new Date() };
  await auditedTransaction(async (tx, event) => {
    await refuseLasting(tx, principal, "the calendar's address");
    const count = () => tx.certificateCalendar.count({ where: { organizationId: row.organizationId } });
    await requireFewerThan(tx, row.organizationId, MAX_CALENDARS, "calendars", count);
    await tx.certificateCalendar.create({ data: row });
    event.resource("certificate_calendar", row.id);
    recordChanges(event, name, null, { name, ...shown });
  });
  return { ...toCalendar(row), url: feedUrl(row.id) };
}
