import { decodeIdCursor, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { db } from "@/lib/db/app";
import type * as contract from "@/lib/uptime/contract";
import { toMonitor } from "@/lib/uptime/monitor";

/** The organization's monitors that fit, newest first. */
export async function listMonitors(
  { organizationId }: Principal,
  { limit, cursor, status, tag }: Input<typeof contract.listMonitors>,
): Promise<Output<typeof contract.listMonitors>> {
  const bound = ["uptime", status ?? null, tag ?? null];
  const after = decodeIdCursor(cursor, bound);
  const rows = await db().uptimeMonitor.findMany({
    where: {
      organizationId,
      ...(after !== null && { id: { lt: after } }),
      ...(status === "paused" && { pausedAt: { not: null } }),
      ...(status !== undefined && status !== "paused" && { pausedAt: null, status }),
      ...(tag !== undefined && { tags: { has: tag } }),
    },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toMonitor),
    nextCursor: rows.length > limit && last ? encodeCursor([last.id], bound) : null,
  };
}
