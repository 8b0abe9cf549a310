import { PAGE_SIZE, readView, type View } from "@/components/audit-logs/views/view";
import { listAuditLogs as contract, type ListQuery } from "@/lib/audit-logs/contract";
import { assertRange } from "@/lib/audit-logs/filters";
import { ApiError, type Issue } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";

/** A cursor is a matter of reading on, and in no address. */
const asked = contract.query.omit({ limit: true, cursor: true });

export interface Asked {
  view: View;
  /** What the list is asked for; null when the address asks for something that does not fit. */
  query: ListQuery | null;
  /** Then, what does not. */
  issues: Issue[];
}

/** The list that a page's address asks for. */
export function readAsked(params: Record<string, string>): Asked {
  const view = readView(params, Date.now());
  const parsed = asked.safeParse(view.query);
  if (!parsed.success) return { view, query: null, issues: issuesOf(parsed.error) };
  try {
    assertRange(parsed.data);
    return { view, query: { ...parsed.data, limit: PAGE_SIZE, cursor: undefined }, issues: [] };
  } catch (error) {
    if (error instanceof ApiError) return { view, query: null, issues: error.details.issues ?? [] };
    throw error;
  }
}
