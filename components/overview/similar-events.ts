import type { AuditEvent } from "@/lib/audit-logs/contract";

/** The latest of several events that say the same: same flags, same caller, same route. */
export interface Similar {
  event: AuditEvent;
  count: number;
}

/** Events, newest first, with those that say the same counted together. */
export function similarEvents(events: readonly AuditEvent[]): Similar[] {
  const groups = new Map<string, Similar>();
  for (const event of events) {
    const { authentication, client, security, request, resource } = event;
    const caller = authentication.api_key?.id ?? authentication.user?.id ?? client.ip_address;
    const key = JSON.stringify([
      security.flags,
      caller,
      request?.method,
      request?.route ?? request?.path,
      resource.action,
    ]);
    const known = groups.get(key);
    if (known) known.count++;
    else groups.set(key, { event, count: 1 });
  }
  return [...groups.values()];
}
