import { byUrgency } from "@/components/alerts/words";
import { type Alert, listAlerts as contract } from "@/lib/alerts/contract";
import { listAlerts } from "@/lib/alerts/list";
import { severities } from "@/lib/certificates/findings";
import { ApiError, type Issue } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import type { Principal } from "@/lib/http/principal";

/** The most unresolved alerts that are shown; the filters reach the rest. */
export const MAX_SHOWN = 300;
const LATEST = 20;

export interface AlertsRead {
  /** Unresolved, the most urgent first; null if the URL asks for a list in order of time. */
  lasting: Alert[] | null;
  /** In order of time, newest first. */
  others: Alert[];
  nextCursor: string | null;
  /** What is invalid in the URL. */
  issues: Issue[];
}

/** The alerts that the URL asks for: without a state, the unresolved ones and the most recently resolved ones. */
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

/** The first unresolved alerts: by state (open first), severity and time. Reads one more than is shown. */
async function readLasting(principal: Principal, asked: Parameters<typeof listAlerts>[1]): Promise<Alert[]> {
  const found: Alert[] = [];
  for (const status of byUrgency) {
    for (const severity of severities.toReversed()) {
      if (asked.severity !== undefined && asked.severity !== severity) continue;
      const limit = MAX_SHOWN + 1 - found.length;
      if (limit === 0) return found;
      const { items } = await listAlerts(principal, { ...asked, cursor: undefined, status, severity, limit });
      found.push(...items);
    }
  }
  return found;
}
