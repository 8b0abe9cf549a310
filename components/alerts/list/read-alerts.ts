import { alertSteps, type Position, readSteps, START, type Step, URGENCY } from "@/components/alerts/list/alert-steps";
import type { ListPart } from "@/components/table/infinite/list-part";
import { type Alert, listAlerts as contract } from "@/lib/alerts/contract";
import { countOpenAlerts } from "@/lib/alerts/count-open";
import { listAlerts } from "@/lib/alerts/list";
import { ApiError, type Issue } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import type { Principal } from "@/lib/http/principal";

const FIRST = 100;
const LATEST = 20;

export interface AlertsRead {
  /** The first alerts of the state that the URL asks for; without one the unresolved ones, by default the most urgent first. */
  first: ListPart<Alert, Position>;
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

async function readFirst(principal: Principal, asked: Asked, params: Record<string, string>) {
  // Only lists of one state have pages with addresses of their own.
  const start = asked.status !== undefined && asked.cursor !== undefined ? { ...START, cursor: asked.cursor } : START;
  const steps = alertSteps(params);
  const counts = steps.length > 1 ? await countOpenAlerts(principal) : [];
  return readSteps(steps, start, asked.limit, readerOf(principal, asked, counts));
}

/** The most urgent of the open alerts. `counts`: as of now. */
export async function readMostUrgent(principal: Principal, limit: number, counts: OpenCounts): Promise<Alert[]> {
  const steps = alertSteps({}).filter(({ status }) => status === "open");
  return (await readSteps(steps, START, limit, readerOf(principal, contract.query.parse({}), counts))).items;
}

type OpenCounts = Awaited<ReturnType<typeof countOpenAlerts>>;

/** Reads pages of one list, but none of a severity without alerts. Their states may change before the lists are read. */
function readerOf(principal: Principal, asked: Asked, counts: OpenCounts) {
  const isEmpty = ({ severity }: Step) =>
    severity !== undefined && !counts.some((found) => found.severity === severity);
  return async (step: Step, cursor: string | undefined, limit: number) =>
    isEmpty(step) ? { items: [], nextCursor: null } : listAlerts(principal, { ...asked, ...step, cursor, limit });
}

async function readResolved(principal: Principal, asked: Asked): Promise<Alert[]> {
  const { items } = await listAlerts(principal, {
    ...asked,
    ...{ cursor: undefined, sort: undefined, order: undefined, limit: LATEST, status: "resolved" },
  });
  return items;
}
