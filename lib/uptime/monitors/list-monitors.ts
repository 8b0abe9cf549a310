import { db } from "@/lib/db/app";
import type { Prisma, UptimeMonitor } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { following, newestFirst, type PageOrder, readPage } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/contract";
import { toMonitor } from "@/lib/uptime/monitors/monitor";

type Order = PageOrder<UptimeMonitor, Prisma.UptimeMonitorWhereInput, Prisma.UptimeMonitorOrderByWithRelationInput>;

const orders: Record<Input<typeof contract.listMonitors>["sort"], Order> = {
  newest: newestFirst,
  urgency: {
    // Names are unique.
    orderBy: [{ urgency: "asc" }, { name: "asc" }],
    kinds: ["digit", "text"],
    position: ({ urgency, name }) => [String(urgency), name],
    after: ([urgency = "", name = ""]) => following({ urgency: Number(urgency), name }),
  },
};

/** The organization's monitors that match the filters, newest first or by urgency. */
export async function listMonitors(
  { organizationId }: Principal,
  { limit, cursor, sort, status, tag }: Input<typeof contract.listMonitors>,
): Promise<Output<typeof contract.listMonitors>> {
  const bound = ["uptime", sort, status ?? null, tag ?? null];
  const { rows, nextCursor } = await readPage(orders[sort], { limit, cursor }, bound, ({ after = {}, ...page }) =>
    db().uptimeMonitor.findMany({
      where: {
        organizationId,
        AND: after,
        ...(status === "paused" && { pausedAt: { not: null } }),
        ...(status !== undefined && status !== "paused" && { pausedAt: null, status }),
        ...(tag !== undefined && { tags: { has: tag } }),
      },
      ...page,
    }),
  );
  return { items: rows.map(toMonitor), nextCursor };
}
