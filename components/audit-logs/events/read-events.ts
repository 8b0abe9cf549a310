import { PAGE_SIZE, readView, type View } from "@/components/audit-logs/views/view";
import { type ListQuery, listQuery } from "@/lib/audit-logs/contract";
import { assertRange, type Filters } from "@/lib/audit-logs/filters";
import { ApiError, type Issue } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";

/** The URL of the page has no cursor: the list loads further pages itself. */
const asked = listQuery.omit({ limit: true, cursor: true });

interface ListRequest {
  view: View;
  /** The query of the list; null if the URL is invalid. */
  query: ListQuery | null;
  /** What is invalid in the URL. */
  issues: Issue[];
}

/** Reads the list query from the page's URL. */
export function readListRequest(params: Record<string, string>): ListRequest {
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

/** The filters of a list's query. */
export function filtersOf({ limit: _limit, cursor: _cursor, order: _order, ...filters }: ListQuery): Filters {
  return filters;
}
