import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { idAt } from "@/lib/ids";
import { RAW_DAYS } from "@/lib/uptime/checks/partitions";
import type * as contract from "@/lib/uptime/checks-contract";
import { readMonitor, toUptimeCheck } from "@/lib/uptime/monitors/monitor";

/** Single checks of a monitor, newest first. Throws 404. */
export async function listUptimeChecks(
  { organizationId }: Principal,
  { id: monitorId, limit, cursor, ok }: Input<typeof contract.listUptimeChecks>,
): Promise<Output<typeof contract.listUptimeChecks>> {
  const bound = ["uptime/checks", monitorId, ok ?? null];
  const after = decodeIdCursor(cursor, bound);
  await readMonitor(organizationId, monitorId);
  const rows = await db().uptimeCheck.findMany({
    where: {
      organizationId,
      monitorId,
      id: { gte: idAt(Date.now() - RAW_DAYS * 86_400_000), ...(after !== null && { lt: after }) },
      ...(ok !== undefined && { ok: ok === "true" }),
    },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, bound);
  return { items: items.map(toUptimeCheck), nextCursor };
}
