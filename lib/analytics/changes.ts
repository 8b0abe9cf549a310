import { queryInUse } from "@/lib/analytics/in-use";
import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { idAt } from "@/lib/ids";

/** What has changed since a time, in numbers. */
export interface Changes {
  /** Alerts that were opened. */
  alerts: number;
  /** Certificates in use that have expired. */
  expired: number;
  /** Endpoints that were added. */
  endpoints: number;
  monitors: number;
  /** People who joined. */
  members: number;
  /** API keys that were created, rotated or revoked. */
  keys: number;
}

/** Counts what has changed since a time (Unix milliseconds). Throws 503. */
export async function readChanges({ organizationId }: Principal, since: number): Promise<Changes> {
  const [{ rows }, expired] = await Promise.all([
    // Ids begin with the time at which they were made.
    pool("report").query<Omit<Changes, "expired">>(
      `SELECT
         (SELECT count(*) FROM alerts WHERE organization_id = $1 AND id >= $2)::integer AS alerts,
         (SELECT count(*) FROM certificate_endpoints WHERE organization_id = $1 AND id >= $2)::integer AS endpoints,
         (SELECT count(*) FROM uptime_monitors WHERE organization_id = $1 AND id >= $2)::integer AS monitors,
         (SELECT count(*) FROM memberships WHERE organization_id = $1 AND created_at >= $3)::integer AS members,
         (SELECT count(*) FROM api_keys WHERE organization_id = $1
            AND (id >= $2 OR rotated_at >= $3 OR revoked_at >= $3))::integer AS keys`,
      [organizationId, idAt(since), new Date(since)],
    ),
    queryInUse<{ expired: number }>(
      organizationId,
      "SELECT count(*)::integer AS expired FROM in_use WHERE not_after >= $2 AND not_after <= now()",
      [new Date(since)],
    ),
  ]);
  const none = { alerts: 0, endpoints: 0, monitors: 0, members: 0, keys: 0 };
  return { ...none, ...rows[0], expired: expired[0]?.expired ?? 0 };
}
