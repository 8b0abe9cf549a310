import type { Condition } from "@/lib/alerts/rules/conditions";
import type { DestinationLag } from "@/lib/alerts/situation/situation";
import { db } from "@/lib/db/app";
import { requireLags } from "@/lib/destinations/lag";

/**
 * How far the organization's destinations are behind the log, if one of the conditions is about that. Rejects while the audit database is
 * unavailable: nothing is known then, and alerts stay as they are.
 */
export async function readDestinationLags(
  organizationId: string,
  conditions: readonly Condition[],
): Promise<DestinationLag[]> {
  if (!conditions.some(({ type }) => type === "destination_lag")) return [];
  const rows = await db().destination.findMany({ where: { organizationId }, orderBy: { id: "asc" } });
  const lags = await requireLags(organizationId, rows);
  return rows.map(({ id, name, pausedReason, lastError, failures }) => {
    const { entries, seconds } = lags.get(id) ?? { entries: 0, seconds: 0 };
    return { id, name, entries, seconds, pausedReason, failure: failures > 0 ? lastError : null };
  });
}
