import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/incidents/contract";
import { incidentRelations, toIncident } from "@/lib/uptime/incidents/incident";

/** The organization's incidents that match the filters, newest first. */
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
  const { items, nextCursor } = pageById(rows, limit, bound);
  return { items: items.map(toIncident), nextCursor };
}
