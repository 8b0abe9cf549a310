import { db } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";

const MAX_ORGANIZATIONS = 20;
/** It reads the counts of every organization, which must not take the place of other reports; in milliseconds. */
const STATEMENT_MS = 4_000;

/** Events of whole UTC days: of the last seven and today. */
const VOLUMES = `SELECT organization_id AS id, sum(events)::float8 AS events FROM audit_rollups
  WHERE grain = 'day' AND dimension = 'total' AND start >= date_trunc('day', now(), 'UTC') - interval '7 days'
  GROUP BY organization_id ORDER BY 2 DESC, 1 LIMIT ${MAX_ORGANIZATIONS}`;

export interface Volume {
  id: string;
  /** Null if the organization was deleted meanwhile. */
  name: string | null;
  plan: string | null;
  events: number;
}

/** The organizations with the most events in the last week. Throws the databases' errors. */
export async function readVolumes(): Promise<Volume[]> {
  const { rows } = await withTransaction(
    auditPool("report"),
    (client) => client.query<{ id: string; events: number }>(VOLUMES),
    { readOnly: true, statementMs: STATEMENT_MS },
  );
  const named = await db().organization.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    select: { id: true, name: true, plan: true },
  });
  const byId = new Map(named.map((organization) => [organization.id, organization]));
  return rows.map(({ id, events }) => ({
    id,
    events,
    name: byId.get(id)?.name ?? null,
    plan: byId.get(id)?.plan ?? null,
  }));
}
