import type { AuditEvent } from "@/lib/audit-logs/contract";
import { listAuditLogs } from "@/lib/audit-logs/list";
import type { Principal } from "@/lib/auth/principal";

const HOUR_MS = 3_600_000;
const EACH_WAY = 5;

/** The caller's events around this one, newest first: by key, else person, else address. */
export async function readAround(principal: Principal, event: AuditEvent): Promise<AuditEvent[]> {
  const { api_key, user } = event.authentication;
  const { ip_address } = event.client;
  const only = (value: string) => ({ include: [value], exclude: [] });
  const caller = api_key
    ? { api_key_id: only(api_key.id) }
    : user
      ? { user_id: only(user.id) }
      : ip_address
        ? { ip: only(ip_address) }
        : null;
  if (caller === null) return [event];
  const at = Date.parse(event.occurred_at);
  const page = { limit: EACH_WAY + 1, cursor: undefined, ...caller };
  const [before, after] = await Promise.all([
    listAuditLogs(principal, { ...page, order: "desc", since: at - HOUR_MS, until: at + 1 }),
    listAuditLogs(principal, { ...page, order: "asc", since: at, until: at + HOUR_MS }),
  ]);
  const all = new Map([...before.items, event, ...after.items].map((each) => [each.id, each]));
  return [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
