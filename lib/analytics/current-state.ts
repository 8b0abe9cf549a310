import { countOpenAlerts } from "@/lib/alerts/count-open";
import { queryInUse } from "@/lib/analytics/in-use";
import { type Leaks, readLeaks } from "@/lib/api-keys/old-secrets/leaks";
import { reachabilityCodes } from "@/lib/certificates/findings";
import { pool } from "@/lib/db/app";
import { isTimeLimit, isUnavailable } from "@/lib/db/unavailable";
import type { Principal } from "@/lib/http/principal";
import { countMonitors } from "@/lib/uptime/monitors/count-monitors";

/** Days ahead in which an expiry is worth a mention. */
export const EXPIRY_DAYS = 14;

/** What is wrong now, in numbers. */
export interface CurrentState {
  endpoints: number;
  monitors: number;
  /** Monitors that are down. */
  down: number;
  /** Certificates in use that have expired. */
  expired: number;
  /** Certificates in use that expire within `EXPIRY_DAYS`, and the next one's time (Unix milliseconds). */
  expiring: number;
  nextExpiry: number | null;
  /** Endpoints and monitors that were not checked yet. */
  unchecked: number;
  /** Endpoints. */
  unreachable: number;
  /** Endpoints with a critical finding other than expiry and reachability. */
  critical: number;
  /** Null if the audit database is unavailable. */
  leaks: Leaks | null;
  /** Alerts that nobody acknowledged or snoozed. */
  openAlerts: number;
}

/** Reads the current state with a few counts in parallel. Throws 503. */
export async function readCurrentState(principal: Principal): Promise<CurrentState> {
  const { organizationId } = principal;
  const [monitors, certificates, endpoints, critical, leaks, alerts] = await Promise.all([
    countMonitors(principal),
    queryInUse<{ expired: number; expiring: number; next: Date | null }>(
      organizationId,
      `SELECT count(*) FILTER (WHERE not_after <= now())::integer AS expired, count(*) FILTER (WHERE not_after > now())::integer AS expiring,
         min(not_after) FILTER (WHERE not_after > now()) AS next
       FROM in_use WHERE not_after <= now() + interval '${EXPIRY_DAYS} days'`,
    ),
    pool("report").query<{ total: number; unchecked: number; unreachable: number }>(
      `SELECT count(*)::integer AS total, count(*) FILTER (WHERE status = 'pending')::integer AS unchecked,
         count(*) FILTER (WHERE status = 'unreachable')::integer AS unreachable
       FROM certificate_endpoints WHERE organization_id = $1`,
      [organizationId],
    ),
    pool("report").query<{ endpoints: number }>(
      `SELECT count(DISTINCT endpoint_id)::integer AS endpoints FROM certificate_findings
       WHERE organization_id = $1 AND closed_at IS NULL AND severity = 'critical' AND code <> ALL ($2)`,
      [organizationId, ["expired", "expires_soon", ...reachabilityCodes]],
    ),
    readLeaks(principal).catch((error: unknown) => {
      if (isTimeLimit(error)) return { found: [], isComplete: false };
      if (isUnavailable(error)) return null;
      throw error;
    }),
    countOpenAlerts(principal),
  ]);
  const [inUse] = certificates;
  const [counts] = endpoints.rows;
  return {
    endpoints: counts?.total ?? 0,
    monitors: [...monitors.values()].reduce((sum, count) => sum + count, 0),
    down: monitors.get("down") ?? 0,
    expired: inUse?.expired ?? 0,
    expiring: inUse?.expiring ?? 0,
    nextExpiry: inUse?.next?.getTime() ?? null,
    unchecked: (counts?.unchecked ?? 0) + (monitors.get("pending") ?? 0),
    unreachable: counts?.unreachable ?? 0,
    critical: critical.rows[0]?.endpoints ?? 0,
    leaks,
    openAlerts: alerts.reduce((sum, { status, count }) => sum + (status === "open" ? count : 0), 0),
  };
}
