import { listApiKeys } from "@/lib/api-keys/list";
import { listAuditLogs } from "@/lib/audit-logs/list";
import type { Principal } from "@/lib/auth/principal";
import { listCertificateEndpoints } from "@/lib/certificates/list-endpoints";

/** How far an organization has come with its first steps. */
export async function readBeginning(principal: Principal) {
  const [endpoints, keys, byKey] = await Promise.all([
    listCertificateEndpoints(principal, { limit: 1, cursor: undefined }),
    listApiKeys(principal, { limit: 200, cursor: undefined }),
    listAuditLogs(principal, {
      limit: 1,
      cursor: undefined,
      order: "desc",
      auth_type: { include: ["api_key"], exclude: [] },
    }),
  ]);
  const unused = keys.items.find(({ status, last_used_at }) => status === "active" && last_used_at === null);
  return {
    hasEndpoint: endpoints.items.length > 0,
    hasRequest: byKey.items.length > 0,
    /** A key that was made but never used. */
    unusedKey: unused ? { id: unused.id, name: unused.name } : null,
  };
}
