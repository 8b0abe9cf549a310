import type { Input, Output } from "@/lib/api/endpoint";
import { notFound } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import type * as contract from "@/lib/certificates/calendar-contract";
import { getCalendar } from "@/lib/certificates/get-calendar";

/** Revokes a calendar address; the answer is what it was. Throws 403, 404. */
export async function deleteCalendar(
  principal: Principal,
  { id }: Input<typeof contract.deleteCalendar>,
): Promise<Output<typeof contract.deleteCalendar>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const last = await getCalendar(principal, { id });
  await change(async (tx, event) => {
    const { count } = await tx.certificateCalendar.deleteMany({ where: { organizationId, id } });
    if (count === 0) throw notFound();
    event.resource("certificate_calendar", id);
  });
  return last;
}
