import type { AlertStatus } from "@/lib/alerts/contract";
import type { Severity } from "@/lib/certificates/findings";
import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import { groupBy } from "@/lib/group-by";
import type { Principal } from "@/lib/http/principal";
import { processSingleton } from "@/lib/process-singleton";

export type OpenStatus = Exclude<AlertStatus, "resolved">;

interface OpenCount {
  status: OpenStatus;
  severity: Severity;
  count: number;
}

const countsOf = processSingleton("alerts.count-open", () =>
  coalesce<string, OpenCount[]>(async (ids) => {
    const { rows } = await pool().query<OpenCount & { organization_id: string }>({
      name: "count-open-alerts",
      text: `SELECT organization_id, CASE WHEN snoozed_until > now() THEN 'snoozed' WHEN acknowledged_at IS NULL THEN 'open'
          ELSE 'acknowledged' END AS status, severity, count(*)::integer AS count
        FROM alerts WHERE organization_id = ANY($1::uuid[]) AND live AND resolved_at IS NULL GROUP BY 1, 2, 3`,
      values: [[...new Set(ids)]],
    });
    const found = groupBy(rows, ({ organization_id }) => organization_id);
    return (id) => (found.get(id) ?? []).map(({ status, severity, count }) => ({ status, severity, count }));
  }),
);

/**
 * The number of unresolved alerts by state and severity. Reads only alerts that the evaluation still considers. The parts of a page that
 * ask at the same time share a statement.
 */
export function countOpenAlerts({ organizationId }: Principal): Promise<OpenCount[]> {
  return countsOf(organizationId);
}

/** The number of alerts that are open, neither acknowledged nor snoozed. */
export async function countOpen(principal: Principal): Promise<number> {
  const counts = await countOpenAlerts(principal);
  return counts.reduce((sum, { status, count }) => sum + (status === "open" ? count : 0), 0);
}
