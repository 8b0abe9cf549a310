import { toCalendar } from "@/lib/certificates/calendars/calendar";
import type * as contract from "@/lib/certificates/calendars/calendar-contract";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** One calendar URL of the organization. Throws 404. */
export async function getCalendar(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getCalendar>,
): Promise<Output<typeof contract.getCalendar>> {
  const row = await db().certificateCalendar.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return toCalendar(row);
}
