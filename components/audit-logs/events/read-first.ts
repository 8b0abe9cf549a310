import type { FirstEvents } from "@/components/audit-logs/events/use-events";
import { PAGE_SIZE, type View } from "@/components/audit-logs/views/view";
import type { ListQuery } from "@/lib/audit-logs/contract";
import { listAuditLogs } from "@/lib/audit-logs/read/list";
import type { Principal } from "@/lib/http/principal";
import { idTime } from "@/lib/ids";
import { isUuid } from "@/lib/text/shapes/uuid";

/** Reads the first page: from the start of the list, or from the entry that the URL names if it is further down. */
export async function readFirst(
  principal: Principal,
  { params, query: asked }: View,
  query: ListQuery,
): Promise<FirstEvents> {
  const readAt = new Date().toISOString();
  const { items, nextCursor } = await listAuditLogs(principal, query);
  const down = { query: { limit: String(PAGE_SIZE), ...asked }, cursor: nextCursor };
  const top: FirstEvents = { readAt, events: items, feeds: { down, up: { query: asked, cursor: null } } };
  const { entry } = params;
  if (entry === undefined || !isUuid(entry) || nextCursor === null || items.some(({ id }) => id === entry)) return top;
  const further = await readFrom(principal, asked, query, idTime(entry));
  return further === null ? top : { readAt, ...further };
}

/** Reads from a time on, in the list's order; the list can then load upwards too. Null if the range has nothing there. */
async function readFrom(
  principal: Principal,
  asked: View["query"],
  query: ListQuery,
  at: number,
): Promise<Omit<FirstEvents, "readAt"> | null> {
  const isAscending = query.order === "asc";
  const [since, until] = isAscending
    ? [Math.max(at, query.since ?? 0), query.until]
    : [query.since, Math.min(at + 1, query.until ?? at + 1)];
  if (since !== undefined && until !== undefined && since >= until) return null;
  const { items, nextCursor } = await listAuditLogs(principal, { ...query, since, until });
  if (items.length === 0) return null;
  const iso = (time: number) => new Date(time).toISOString();
  const limit = { limit: String(PAGE_SIZE) };
  return {
    events: items,
    feeds: {
      down: {
        query: {
          ...asked,
          ...limit,
          ...(since !== undefined && { since: iso(since) }),
          ...(until !== undefined && { until: iso(until) }),
        },
        cursor: nextCursor,
      },
      up: {
        query: isAscending
          ? { ...asked, ...limit, order: "desc", until: iso(at + 1) }
          : { ...asked, ...limit, order: "asc", since: iso(at) },
        cursor: undefined,
      },
    },
  };
}
