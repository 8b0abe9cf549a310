import { alertSteps, type Place, readSteps, START, URGENCY } from "@/components/alerts/list/alert-steps";
import type { ListPart } from "@/components/table/infinite/list-part";
import { type Alert, listAlerts as contract } from "@/lib/alerts/contract";
import { listAlerts } from "@/lib/alerts/list";
import { ApiError, type Issue } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import type { Principal } from "@/lib/http/principal";

const FIRST = 100;
const LATEST = 20;

export interface AlertsRead {
  /** The first alerts of the state that the URL asks for; without one the unresolved ones, by default the most urgent first. */
  first: ListPart<Alert, Place>;
  /** The most recently resolved ones; none if the URL asks for a state. */
  resolved: Alert[];
  /** What is invalid in the URL. */
  issues: Issue[];
}

type Asked = Parameters<typeof listAlerts>[1];

/** The alerts that the URL asks for: without a state, the unresolved ones and the most recently resolved ones. */
export async function readAlerts(principal: Principal, params: Record<string, string>): Promise<AlertsRead> {
  const parsed = contract.query.safeParse({
    limit: FIRST,
    ...params,
    ...(params.sort === URGENCY && { sort: undefined }),
  });
  const nothing = { first: { items: [], next: null }, resolved: [] };
  if (!parsed.success) return { ...nothing, issues: issuesOf(parsed.error) };
  try {
    const [first, resolved] = await Promise.all([
      readFirst(principal, parsed.data, params),
      parsed.data.status === undefined ? readResolved(principal, parsed.data) : [],
    ]);
    return { first, resolved, issues: [] };
  } catch (error) {
    if (error instanceof ApiError && error.details.issues) return { ...nothing, issues: error.details.issues };
    throw error;
  }
}

function readFirst(principal: Principal, asked: Asked, params: Record<string, string>) {
  // Only lists of one state have pages with addresses of their own.
  const start = asked.status !== undefined && asked.cursor !== undefined ? { ...START, cursor: asked.cursor } : START;
  return readSteps(alertSteps(params), start, asked.limit, (step, cursor, limit) =>
    listAlerts(principal, { ...asked, ...step, cursor, limit }),
  );
}

async function readResolved(principal: Principal, asked: Asked): Promise<Alert[]> {
  const { items } = await listAlerts(principal, {
    ...asked,
    ...{ cursor: undefined, sort: undefined, order: undefined, limit: LATEST, status: "resolved" },
  });
  return items;
}
