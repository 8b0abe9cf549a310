import { toCalendar } from "@/lib/certificates/calendars/calendar";
import type * as contract from "@/lib/certificates/calendars/calendar-contract";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const FILTERS = "certificates/calendars";

/** The organization's calendar URLs, newest first. */
export async function listCalendars(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listCalendars>,
): Promise<Output<typeof contract.listCalendars>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().certificateCalendar.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map(toCalendar), nextCursor };
}
