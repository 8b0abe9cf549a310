import { callerOf, only } from "@/lib/audit-logs/caller";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Filters } from "@/lib/audit-logs/filters";
import type { AuditContext, getAuditContext as contract } from "@/lib/audit-logs/read/context-contract";
import { factsAbout } from "@/lib/audit-logs/read/facts";
import { findEvent } from "@/lib/audit-logs/read/find-event";
import { listEvents } from "@/lib/audit-logs/read/list";
import { NO_CLIENT } from "@/lib/audit-logs/redacted-caller";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { HOUR_MS } from "@/lib/time/units";

const EVENTS_PER_SIDE = 5;

/** Facts about an event from its neighbors and its key's history. Throws 404. */
export async function getAuditContext(
  { organizationId }: Principal,
  { id, via }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const scope = await scopeOf(organizationId);
  return contextOf(scope, await findEvent(scope, id), { via });
}

/** Like `getAuditContext`, for a known event. The filters apply to the events around it. */
export async function contextOf(scope: Scope, event: AuditEvent, filters: Filters): Promise<AuditContext> {
  const { ip_address } = event.client ?? NO_CLIENT;
  const caller = callerOf(event);
  const [facts, same_caller, same_address] = await Promise.all([
    factsAbout(scope, event),
    around(scope, event, caller && { ...filters, ...caller }),
    around(scope, event, ip_address === null ? null : { ...filters, ip: only(ip_address) }),
  ]);
  return { facts, same_caller, same_address };
}

/** Matching events before and after an event, including the event if it matches. Newest first. */
async function around(scope: Scope, event: AuditEvent, filters: Filters | null): Promise<AuditEvent[]> {
  if (filters === null) return [];
  const at = Date.parse(event.occurred_at);
  const page = { limit: EVENTS_PER_SIDE + 1, cursor: undefined, ...filters };
  const [before, after] = await Promise.all([
    listEvents(scope, { ...page, order: "desc", since: at - HOUR_MS, until: at + 1 }),
    listEvents(scope, { ...page, order: "asc", since: at, until: at + HOUR_MS }),
  ]);
  const all = new Map([...before.items, ...after.items].map((each) => [each.id, each]));
  return [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
