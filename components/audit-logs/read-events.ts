import { PAGE_SIZE, readView, type View } from "@/components/audit-logs/view";
import { ApiError, type Issue } from "@/lib/api/errors";
import { issuesOf } from "@/lib/api/input";
import { type AuditEvent, listAuditLogs as contract } from "@/lib/audit-logs/contract";
import { listAuditLogs } from "@/lib/audit-logs/list";
import { getAuditStats } from "@/lib/audit-logs/stats";
import type { AuditStats } from "@/lib/audit-logs/stats-contract";
import type { Principal } from "@/lib/auth/principal";

export interface EventsRead {
  view: View;
  events: AuditEvent[];
  nextCursor: string | null;
  /** Null when the address asks for something that does not fit; then `issues` says what. */
  stats: AuditStats | null;
  issues: Issue[];
}

/** The list that a page's address asks for, and the figures over it. `fixed` are filters that the page itself sets. */
export async function readEvents(
  principal: Principal,
  params: Record<string, string>,
  fixed: Record<string, string> = {},
): Promise<EventsRead> {
  const view = readView(params, Date.now());
  const refused = (issues: Issue[]) => ({ view, events: [], nextCursor: null, stats: null, issues });
  const parsed = contract.query.safeParse({ limit: PAGE_SIZE, ...view.query, ...fixed });
  if (!parsed.success) return refused(issuesOf(parsed.error));
  const { limit: _limit, cursor: _cursor, order: _order, ...filters } = parsed.data;
  try {
    const [page, stats] = await Promise.all([
      listAuditLogs(principal, parsed.data),
      getAuditStats(principal, { interval: undefined, ...filters }),
    ]);
    return { view, events: page.items, nextCursor: page.nextCursor, stats, issues: [] };
  } catch (error) {
    if (error instanceof ApiError && error.details.issues) return refused(error.details.issues);
    throw error;
  }
}
