import type { Subject } from "@/lib/alerts/alert-state";
import type { FlaggedEvents } from "@/lib/alerts/evaluation/situation";
import type { Rule } from "@/lib/alerts/rules/alert-rule";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { Flag } from "@/lib/audit-logs/flags";
import { type LogCursor, newEvents, START_OF_LOG } from "@/lib/audit-logs/read/new-events";
import { groupBy } from "@/lib/group-by";

type Event = Pick<
  AuditRow,
  "organization_id" | "flags" | "ip_address" | "api_key_id" | "api_key_name" | "user_id" | "user_name"
>;

/** The most pages to read per evaluation; the next evaluation continues. */
const MAX_PAGES = 50;

function subjectOf(event: Event): Subject {
  if (event.api_key_id !== null) return { type: "api_key", id: event.api_key_id, name: event.api_key_name ?? "" };
  if (event.user_id !== null) return { type: "user", id: event.user_id, name: event.user_name ?? "" };
  return { type: "organization", id: event.organization_id, name: "Unknown callers" };
}

/** Groups events by caller. */
export function byCaller(events: readonly Event[], wanted: readonly Flag[]): FlaggedEvents[] {
  return [...groupBy(events, (event) => subjectOf(event).id).values()].flatMap((mine) => {
    const [first] = mine;
    if (first === undefined) return [];
    const flags = new Set(mine.flatMap((event) => event.flags).filter((flag) => wanted.includes(flag)));
    const addresses = new Set(mine.flatMap(({ ip_address }) => ip_address ?? []));
    return [{ subject: subjectOf(first), flags: [...flags], count: mine.length, addresses: [...addresses] }];
  });
}

/** The flags that any of the rules matches. */
export function wantedFlags(rules: readonly Pick<Rule, "condition">[]): Flag[] {
  const flags = rules.flatMap(({ condition }) => (condition.type === "security_event" ? condition.flags : []));
  return [...new Set(flags)];
}

/** The position in the log after which events from the given time on follow (Unix milliseconds). */
export function startingAt(time: number): LogCursor {
  return { position: START_OF_LOG, from: time };
}

/**
 * Flagged events after a position in the log, by caller, with the next position; `isMore` if there may be more. Returns each event
 * exactly once, however late it reaches the log.
 */
export async function readFlaggedEvents(
  organizationId: string,
  flags: readonly Flag[],
  place: LogCursor,
): Promise<{ events: FlaggedEvents[]; place: LogCursor; isMore: boolean }> {
  const rows: AuditRow[] = [];
  let next = place;
  let isMore = true;
  for (let page = 0; isMore && page < MAX_PAGES; page++) {
    const read = await newEvents(organizationId, { flag: { include: [...flags], exclude: [] } }, next);
    rows.push(...read.rows);
    next = read.next;
    isMore = read.rows.length > 0;
  }
  return { events: byCaller(rows, flags), place: next, isMore };
}
