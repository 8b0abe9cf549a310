import { decodeIdCursor, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { toCalendar } from "@/lib/certificates/calendar";
import type * as contract from "@/lib/certificates/calendar-contract";
import { db } from "@/lib/db/app";

const FILTERS = "certificates/calendars";

/** The organization's calendar addresses, newest first. */
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
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toCalendar),
    nextCursor: rows.length > limit && last ? encodeCursor([last.id], FILTERS) : null,
  };
}
