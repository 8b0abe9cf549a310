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
  /** Unresolved, by default the most urgent first; null if the URL asks for one state or for all alerts. */
  lasting: Alert[] | null;
  /** By default newest first. */
  others: Alert[];
  nextCursor: string | null;
  /** What is invalid in the URL. */
  issues: Issue[];
}

type Asked = Parameters<typeof listAlerts>[1];

/** The order of unresolved alerts without a choice. */
export const URGENCY = "urgency";

/** The alerts that the URL asks for: without a state, the unresolved ones and the most recently resolved ones. */
export async function readAlerts(principal: Principal, params: Record<string, string>): Promise<AlertsRead> {
  const parsed = contract.query.safeParse({
    limit: 100,
    ...params,
    ...(params.sort === URGENCY && { sort: undefined }),
  });
  if (!parsed.success) return { lasting: [], others: [], nextCursor: null, issues: issuesOf(parsed.error) };
  try {
    if (parsed.data.status !== undefined) {
      const { items, nextCursor } = await listAlerts(principal, parsed.data);
      return { lasting: null, others: items, nextCursor, issues: [] };
    }
    const [lasting, { items }] = await Promise.all([
      readLasting(principal, { ...parsed.data, cursor: undefined }),
      listAlerts(principal, {
        ...parsed.data,
        ...{ cursor: undefined, sort: undefined, order: undefined, limit: LATEST, status: "resolved" },
      }),
    ]);
    return { lasting, others: items, nextCursor: null, issues: [] };
  } catch (error) {
    if (error instanceof ApiError && error.details.issues) {
      return { lasting: [], others: [], nextCursor: null, issues: error.details.issues };
    }
    throw error;
  }
}

/** The first unresolved alerts in the order asked for. Reads one more than is shown. */
async function readLasting(principal: Principal, asked: Asked): Promise<Alert[]> {
  if (asked.sort === undefined) return readUrgent(principal, asked);
  return (await listAlerts(principal, { ...asked, status: "unresolved", limit: MAX_SHOWN + 1 })).items;
}

/** By state (open first), severity and time, or the other way round. */
async function readUrgent(principal: Principal, { order, ...asked }: Asked): Promise<Alert[]> {
  const found: Alert[] = [];
  const steps = byUrgency.flatMap((status) => severities.toReversed().map((severity) => ({ status, severity })));
  for (const step of order === "desc" ? steps.toReversed() : steps) {
    if (asked.severity !== undefined && asked.severity !== step.severity) continue;
    const limit = MAX_SHOWN + 1 - found.length;
    if (limit === 0) return found;
    const { items } = await listAlerts(principal, {
      ...asked,
      ...step,
      limit,
      order: order === "desc" ? "asc" : "desc",
    });
    found.push(...items);
  }
  return found;
}
