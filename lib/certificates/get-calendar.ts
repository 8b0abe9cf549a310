import type { Input, Output } from "@/lib/api/endpoint";
import { notFound } from "@/lib/api/errors";
import type { Principal } from "@/lib/auth/principal";
import { toCalendar } from "@/lib/certificates/calendar";
import type * as contract from "@/lib/certificates/calendar-contract";
import { db } from "@/lib/db/app";

/** One calendar address of the organization. Throws 404. */
export async function getCalendar(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getCalendar>,
): Promise<Output<typeof contract.getCalendar>> {
  const row = await db().certificateCalendar.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return toCalendar(row);
}
