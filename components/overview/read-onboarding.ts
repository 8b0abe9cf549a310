import { listApiKeys } from "@/lib/api-keys/list";
import { listCertificateEndpoints } from "@/lib/certificates/endpoints/list-endpoints";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { listMonitors } from "@/lib/uptime/monitors/list-monitors";

/** Which first steps an organization has completed. Reads only the monitoring database, because the audit database may be unavailable. */
export async function readOnboarding(principal: Principal) {
  const [endpoints, monitors, keys, used] = await Promise.all([
    listCertificateEndpoints(principal, { limit: 1, cursor: undefined, sort: "newest" }),
    listMonitors(principal, { limit: 1, cursor: undefined, sort: "newest" }),
    listApiKeys(principal, { limit: 200, cursor: undefined }),
    db().apiKey.findFirst({
      where: { organizationId: principal.organizationId, lastUsedAt: { not: null } },
      select: { id: true },
    }),
  ]);
  const unused = keys.items.find(({ status, last_used_at }) => status === "active" && last_used_at === null);
  return {
    hasEndpoint: endpoints.items.length > 0,
    hasMonitor: monitors.items.length > 0,
    // The last use is stored within a minute; for the newest keys it is known immediately.
    hasRequest: used !== null || keys.items.some(({ last_used_at }) => last_used_at !== null),
    /** An active key among the newest that was never used. */
    unusedKey: unused ? { id: unused.id, name: unused.name } : null,
  };
}
