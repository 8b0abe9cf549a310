import { pool } from "@/lib/db/app";
import { CREATOR_OR_SUCCESSOR } from "@/lib/jobs/creator-or-successor";
import { MassFailureGuard, type OrganizationFailures } from "@/lib/jobs/mass-failure-guard";
import { processSingleton } from "@/lib/process-singleton";

const WITHIN = "5 minutes";
/** Milliseconds for which a result is cached. */
const KEPT_MS = 5_000;
/** Fewer monitors down are never a mass failure, so not all monitors need to be counted. */
const MIN_DOWN = 20;

const COUNT = `WITH down AS (
    SELECT organization_id, count(*)::integer AS failed FROM uptime_monitors
    WHERE status = 'down' AND status_since > now() - interval '${WITHIN}' AND paused_at IS NULL GROUP BY organization_id
  ),
  monitors AS (
    SELECT organization_id, count(*)::integer AS seen FROM uptime_monitors
    WHERE paused_at IS NULL AND status <> 'pending' AND (SELECT sum(failed) FROM down) >= ${MIN_DOWN} GROUP BY organization_id
  )
  SELECT o.id AS "organizationId", ${CREATOR_OR_SUCCESSOR} AS creator, monitors.seen, coalesce(down.failed, 0) AS failed
  FROM monitors JOIN organizations o ON o.id = monitors.organization_id
  LEFT JOIN down ON down.organization_id = monitors.organization_id`;

/**
 * Whether so many monitors went down that our own network may be the reason. Notifications about an organization's monitors are
 * then held back, each for at most LONGEST_HOLD_MS (evaluate.ts). Endpoints have their own guard, before their findings.
 */
export async function isMassFailure(organizationId: string): Promise<boolean> {
  const state = processSingleton("alerts.mass-failure", () => ({
    guard: new MassFailureGuard("monitors"),
    readAt: Number.NEGATIVE_INFINITY,
  }));
  if (performance.now() - state.readAt >= KEPT_MS) {
    const { rows } = await pool().query<OrganizationFailures & { organizationId: string }>(COUNT);
    state.guard.update(new Map(rows.map(({ organizationId: id, ...failures }) => [id, failures])));
    state.readAt = performance.now();
  }
  return state.guard.holds(organizationId);
}
