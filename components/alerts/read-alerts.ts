import { byUrgency } from "@/components/alerts/words";
import { type Alert, listAlerts as contract } from "@/lib/alerts/contract";
import { listAlerts } from "@/lib/alerts/list";
import { ApiError, type Issue } from "@/lib/api/errors";
import { issuesOf } from "@/lib/api/input";
import type { Principal } from "@/lib/auth/principal";
import { severities } from "@/lib/certificates/findings";

const PAGE = 200;
const MOST_PAGES = 5;
/** Most rows of those that are not over; the filters reach the rest. */
export const MOST_SHOWN = 300;
const LATEST = 20;

export interface AlertsRead {
  /** Not over, the most urgent first; null where the address asks for a list in order of time. */
  lasting: Alert[] | null;
  /** In order of time, newest first. */
  others: Alert[];
  nextCursor: string | null;
  /** What of the address does not fit. */
  issues: Issue[];
}

/** The alerts that a page's address asks for: without a state, what is not over and then what was resolved last. */
export async function readAlerts(principal: Principal, params: Record<string, string>): Promise<AlertsRead> {
  const parsed = contract.query.safeParse({ limit: 100, ...params });
  if (!parsed.success) return { lasting: [], others: [], nextCursor: null, issues: issuesOf(parsed.error) };
  try {
    if (parsed.data.status !== undefined) {
      const { items, nextCursor } = await listAlerts(principal, parsed.data);
      return { lasting: null, others: items, nextCursor, issues: [] };
    }
    const [lasting, { items }] = await Promise.all([
      readLasting(principal, parsed.data),
      listAlerts(principal, { ...parsed.data, cursor: undefined, limit: LATEST, status: "resolved" }),
    ]);
    return { lasting, others: items, nextCursor: null, issues: [] };
  } catch (error) {
    if (error instanceof ApiError && error.details.issues) {
      return { lasting: [], others: [], nextCursor: null, issues: error.details.issues };
    }
    throw error;
  }
}

/** What nobody looks after first, then the gravest, then the newest. */
async function readLasting(principal: Principal, asked: Parameters<typeof listAlerts>[1]): Promise<Alert[]> {
  const found: Alert[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, nextCursor } = await listAlerts(principal, { ...asked, limit: PAGE, cursor, status: "unresolved" });
    found.push(...items);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found.sort(byUrgencyOf);
}

const rank = ({ status, severity }: Alert) =>
  (byUrgency as readonly string[]).indexOf(status) * severities.length - severities.indexOf(severity);

function byUrgencyOf(a: Alert, b: Alert): number {
  return rank(a) - rank(b) || (a.id < b.id ? 1 : -1);
}
