import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/maintenance-windows/contract";
import { toMaintenanceWindow } from "@/lib/uptime/maintenance-windows/maintenance-window";

const FILTERS = "uptime/maintenance-windows";

/** The organization's maintenance windows, newest first. */
export async function listMaintenanceWindows(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listMaintenanceWindows>,
): Promise<Output<typeof contract.listMaintenanceWindows>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().maintenanceWindow.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map(toMaintenanceWindow), nextCursor };
}
