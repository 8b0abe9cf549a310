import { decodeIdCursor, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { db } from "@/lib/db/app";
import type * as contract from "@/lib/uptime/contract";
import { incidentRelations, toIncident } from "@/lib/uptime/incident";

/** The organization's incidents that fit, newest first. */
export async function listIncidents(
  { organizationId }: Principal,
  { limit, cursor, monitor_id, open }: Input<typeof contract.listIncidents>,
): Promise<Output<typeof contract.listIncidents>> {
  const bound = ["uptime/incidents", monitor_id ?? null, open ?? null];
  const after = decodeIdCursor(cursor, bound);
  const rows = await db().uptimeIncident.findMany({
    where: {
      organizationId,
      ...(after !== null && { id: { lt: after } }),
      ...(monitor_id !== undefined && { monitorId: monitor_id }),
      ...(open !== undefined && { endedAt: open === "true" ? null : { not: null } }),
    },
    include: incidentRelations,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toIncident),
    nextCursor: rows.length > limit && last ? encodeCursor([last.id], bound) : null,
  };
}
