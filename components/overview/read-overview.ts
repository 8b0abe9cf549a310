import { readEndpoints } from "@/components/certificates/read-endpoints";
import { keyNotices } from "@/components/overview/key-notices";
import { similarEvents } from "@/components/overview/similar-events";
import { listApiKeys } from "@/lib/api-keys/list";
import { listAuditLogs } from "@/lib/audit-logs/list";
import { getAuditStats } from "@/lib/audit-logs/stats";
import type { Principal } from "@/lib/auth/principal";

const DAY_MS = 86_400_000;
const LINES = 7;
/** Looked through for lines: many say the same. */
const EVENTS = 100;

/** Everything the overview tells, read at once. */
export async function readOverview(principal: Principal) {
  const now = Date.now();
  const page = { cursor: undefined, order: "desc" } as const;
  const [{ endpoints }, keys, stats, security, byKey] = await Promise.all([
    readEndpoints(principal),
    listApiKeys(principal, { limit: 200, cursor: undefined }),
    getAuditStats(principal, { interval: undefined, since: now - DAY_MS }),
    listAuditLogs(principal, { ...page, limit: EVENTS, since: now - 7 * DAY_MS, security_event: true }),
    listAuditLogs(principal, { ...page, limit: 1, auth_type: { include: ["api_key"], exclude: [] } }),
  ]);
  const active = keys.items.filter(({ status }) => status === "active");
  return {
    now,
    endpoints,
    stats,
    activeKeys: active,
    notices: keyNotices(keys.items, now).slice(0, LINES),
    security: similarEvents(security.items).slice(0, LINES),
    hasRequest: byKey.items.length > 0,
  };
}
