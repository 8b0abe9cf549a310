import { listApiKeys } from "@/lib/api-keys/list";
import { listCertificateEndpoints } from "@/lib/certificates/endpoints/list-endpoints";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** How far an organization has come with its first steps. Of the monitoring database alone: the log's own part may be missing. */
export async function readBeginning(principal: Principal) {
  const [endpoints, keys, used] = await Promise.all([
    listCertificateEndpoints(principal, { limit: 1, cursor: undefined, sort: "newest" }),
    listApiKeys(principal, { limit: 200, cursor: undefined }),
    db().apiKey.findFirst({
      where: { organizationId: principal.organizationId, lastUsedAt: { not: null } },
      select: { id: true },
    }),
  ]);
  const unused = keys.items.find(({ status, last_used_at }) => status === "active" && last_used_at === null);
  return {
    hasEndpoint: endpoints.items.length > 0,
    // A use is written within a minute; that of the newest keys is known at once.
    hasRequest: used !== null || keys.items.some(({ last_used_at }) => last_used_at !== null),
    /** One of the newest keys that was never used. */
    unusedKey: unused ? { id: unused.id, name: unused.name } : null,
  };
}
