import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Filters } from "@/lib/audit-logs/filters";
import { contextOf } from "@/lib/audit-logs/read/context";
import type { AuditContext } from "@/lib/audit-logs/read/context-contract";
import { findEvent } from "@/lib/audit-logs/read/find-event";
import type { getAuditLog as contract } from "@/lib/audit-logs/read/get-contract";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { logFailure } from "@/lib/db/outage-log";
import { isUnavailable } from "@/lib/db/unavailable";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** An event with its body, and with its context if asked. Throws 404, also if the event is older than the organization's retention. */
export async function getAuditLog(
  { organizationId }: Principal,
  { id, include, via }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const scope = await scopeOf(organizationId);
  const event = await findEvent(scope, id);
  return include === "context" ? { ...event, context: await contextInTime(scope, event, { via }) } : event;
}

/** The context, or null if it cannot be read in time: the event itself must be readable nevertheless. */
async function contextInTime(scope: Scope, event: AuditEvent, filters: Filters): Promise<AuditContext | null> {
  try {
    return await contextOf(scope, event, filters);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    logFailure("the context of an event cannot be read", error, { event_id: event.id });
    return null;
  }
}
