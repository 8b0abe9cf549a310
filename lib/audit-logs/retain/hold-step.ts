import type pg from "pg";
import { Conditions } from "@/lib/audit-logs/conditions";
import { type ActiveHold, readActiveHolds } from "@/lib/audit-logs/held/active-holds";
import { heldByAny } from "@/lib/audit-logs/held/held-by";
import { createPartitionsFor, isPartitionMissing } from "@/lib/audit-logs/partitions/partitions";
import { moveEvents } from "@/lib/audit-logs/retain/move-events";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";

/** Maximum number of events, and bytes of their bodies, to move per step. */
const MAX_EVENTS = 2_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Ids to search, half-open. */
interface IdRange {
  low: string;
  high: string;
}

/**
 * Runs a step on an organization's held events within a transaction of the audit database. Steps of one organization exclude each
 * other, and each reads the holds after it has its turn, so that no step acts on holds that an earlier one knew better.
 */
export function withHolds<Result>(
  organizationId: string,
  work: (client: pg.PoolClient, holds: ActiveHold[]) => Promise<Result>,
): Promise<Result> {
  return withTransaction(auditPool(), async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('audit_holds ' || $1, 0))", [organizationId]);
    return work(client, await readActiveHolds(organizationId));
  });
}

/** The next events of a class that are kept by the holds, or that are not; as many as one step moves. */
async function nextEvents(
  client: pg.PoolClient,
  { organizationId, from, low, high }: IdRange & { organizationId: string; from: number },
  holds: readonly ActiveHold[],
  isHeld: boolean,
): Promise<string[]> {
  const all = new Conditions();
  const own = `organization_id = ${all.value(organizationId)} AND retention_days = ${all.value(from)}::smallint`;
  const range = `id >= ${all.value(low)} AND id < ${all.value(high)}`;
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM (
       SELECT id, row_number() OVER ids AS number, sum(coalesce(body_size, 0)) OVER ids AS bytes FROM (
         SELECT id, body_size FROM audit_events WHERE ${own} AND ${range} AND ${isHeld ? "" : "NOT "}(${heldByAny(all, holds)})
         ORDER BY id LIMIT ${MAX_EVENTS}
       ) AS step WINDOW ids AS (ORDER BY id)
     ) AS counted WHERE number = 1 OR bytes <= ${MAX_BODY_BYTES} ORDER BY id`,
    all.values,
  );
  return rows.map(({ id }) => id);
}

/** Moves the next events to the class that `to` gives, null deletes. Returns them; none: nothing is left in the range. */
export async function moveNext(
  range: IdRange & { organizationId: string; from: number; isHeld: boolean },
  to: (ids: readonly string[]) => Promise<{ class: number | null; ids: readonly string[] }>,
): Promise<readonly string[]> {
  const { organizationId, from, isHeld } = range;
  let aim: Awaited<ReturnType<typeof to>> = { class: null, ids: [] };
  const step = () =>
    withHolds(organizationId, async (client, holds) => {
      aim = await to(await nextEvents(client, range, holds, isHeld));
      if (aim.ids.length > 0) await moveEvents(client, { organizationId, from, to: aim.class, ids: aim.ids });
      return aim.ids;
    });
  try {
    return await step();
  } catch (error) {
    const days = aim.class;
    if (!isPartitionMissing(error) || days === null) throw error;
    await createPartitionsFor(aim.ids.map((id) => ({ retention_days: days, id })));
    return step();
  }
}
