import { db } from "@/lib/db/app";
import type { Prisma, UptimeMonitor } from "@/lib/db/generated/app/client";
import type { Kind } from "@/lib/http/cursor";
import type { Direction, Input, Output } from "@/lib/http/endpoint";
import { atUrgencyOf, orderBy, readPage, sortBound, usualDirection } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/contract";
import { toMonitor } from "@/lib/uptime/monitors/monitor";
import { byUrgency } from "@/lib/uptime/monitors/urgency";

type Asked = Input<typeof contract.listMonitors>;

/** The columns of each order; the index of each is in prisma/app/uptime.prisma. */
const columns: Record<Asked["sort"], Readonly<Record<string, Kind>>> = {
  newest: { id: "id" },
  urgency: { urgency: "digit", nameKey: "text", id: "id" },
  name: { nameKey: "text", id: "id" },
};

function orderOf(sort: Asked["sort"], order: Direction) {
  return orderBy<UptimeMonitor, Prisma.UptimeMonitorWhereInput, Prisma.UptimeMonitorOrderByWithRelationInput>(
    columns[sort],
    order,
  );
}

/** The organization's monitors that match the filters, in the order asked for. */
export async function listMonitors(
  { organizationId }: Principal,
  { limit, cursor, sort, order = usualDirection(sort), status, tag }: Asked,
): Promise<Output<typeof contract.listMonitors>> {
  const bound = ["uptime", sortBound(sort, order), status ?? null, tag ?? null];
  const { rows, nextCursor } = await readPage(
    orderOf(sort, order),
    { limit, cursor },
    bound,
    ({ after = {}, ...page }) =>
      db().uptimeMonitor.findMany({
        where: {
          organizationId,
          AND: after,
          ...(status !== undefined && { urgency: atUrgencyOf(byUrgency, status) }),
          ...(status === "paused" && { pausedAt: { not: null } }),
          ...(status !== undefined && status !== "paused" && { pausedAt: null, status }),
          ...(tag !== undefined && { tags: { has: tag } }),
        },
        ...page,
      }),
  );
  return { items: rows.map(toMonitor), nextCursor };
}
