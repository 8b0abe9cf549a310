import type { Subject } from "@/lib/alerts/alert-state";
import type { Rule } from "@/lib/alerts/rules/alert-rule";
import type { FlaggedEvents } from "@/lib/alerts/situation/situation";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { Flag } from "@/lib/audit-logs/flags";
import { addressStandings } from "@/lib/audit-logs/read/address-standings";
import { type LogCursor, newEvents, START_OF_LOG } from "@/lib/audit-logs/read/new-events";
import { isStranger } from "@/lib/audit-logs/standing";
import { groupBy } from "@/lib/group-by";

type Event = Pick<
  AuditRow,
  "organization_id" | "flags" | "ip_address" | "api_key_id" | "api_key_name" | "user_id" | "user_name"
>;

/** Maximum number of pages to read per evaluation; the next evaluation continues. */
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

/** Groups events by caller, with the unrecognized addresses among those that tried old secrets. Throws 503. */
export async function byCallerWithStrangers(
  organizationId: string,
  events: readonly AuditRow[],
  wanted: readonly Flag[],
): Promise<FlaggedEvents[]> {
  const attempts = events.flatMap(({ flags, api_key_id, api_key_hint, ip_address }) =>
    api_key_id !== null && flags.some((flag) => flag === "rotated_secret" || flag === "revoked_key")
      ? [{ apiKeyId: api_key_id, hint: api_key_hint ?? "", address: ip_address }]
      : [],
  );
  const standings = await addressStandings(organizationId, attempts);
  const isStrange = attempts.filter((attempt) => isStranger(standings(attempt).standing));
  return byCaller(events, wanted).map((group) => {
    const mine = isStrange.filter(({ apiKeyId }) => apiKeyId === group.subject.id);
    const strangers = [...new Set(mine.flatMap(({ address }) => address ?? []))];
    return strangers.length > 0 ? { ...group, strangers } : group;
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
    isMore = read.hasMore;
  }
  return { events: await byCallerWithStrangers(organizationId, rows, flags), place: next, isMore };
}
