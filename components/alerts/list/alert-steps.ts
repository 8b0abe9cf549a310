import { byUrgency } from "@/components/alerts/alert-states";
import type { ListPart } from "@/components/table/infinite/list-part";
import type { AlertStatus } from "@/lib/alerts/contract";
import { type Severity, severities } from "@/lib/certificates/findings";
import type { Direction } from "@/lib/http/endpoint";

/** The order of unresolved alerts without a choice. The API does not have it: it is several lists, one after the other. */
export const URGENCY = "urgency";

/** What one of the lists asks for besides the filters of the page. */
export interface Step {
  status?: AlertStatus | "unresolved";
  severity?: Severity;
  order?: Direction;
}

/** A position in the lists: the index of a step, and a cursor of its list. */
export interface Position {
  step: number;
  cursor?: string;
}

export const START: Position = { step: 0 };

/** The lists that make up a list of alerts. Without a state, unresolved ones by state (open first), severity and time, or in reverse. */
export function alertSteps(asked: { status?: string; severity?: string; sort?: string; order?: string }): Step[] {
  if (asked.status !== undefined) return [{}];
  if (asked.sort !== undefined && asked.sort !== URGENCY) return [{ status: "unresolved" }];
  const isReversed = asked.order === "desc";
  const steps = byUrgency.flatMap((status) =>
    severities.toReversed().map((severity): Step => ({ status, severity, order: isReversed ? "asc" : "desc" })),
  );
  const fitting = steps.filter(({ severity }) => asked.severity === undefined || asked.severity === severity);
  return isReversed ? fitting.toReversed() : fitting;
}

/** Reads `limit` items from a position on, from one list after the other. `read` reads a page of one of them. */
export async function readSteps<Item>(
  steps: readonly Step[],
  from: Position,
  limit: number,
  read: (
    step: Step,
    cursor: string | undefined,
    limit: number,
  ) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<ListPart<Item, Position>> {
  const items: Item[] = [];
  let next: Position | null = from;
  while (next !== null && items.length < limit) {
    const { step: at, cursor }: Position = next;
    const step = steps[at];
    if (step === undefined) return { items, next: null };
    const page = await read(step, cursor, limit - items.length);
    items.push(...page.items);
    if (page.nextCursor !== null) next = { step: at, cursor: page.nextCursor };
    else next = at + 1 < steps.length ? { step: at + 1 } : null;
  }
  return { items, next };
}
