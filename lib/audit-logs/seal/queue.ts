import type pg from "pg";

/** Rows of the queue per organization and transaction. A row has the events that were stored together: one to 500 requests. */
const QUEUE_ROWS = 500;
/** Events of the queue per transaction, unless the first rows of all organizations have more. */
const MAX_EVENTS = 5_000;

/** Events of an organization that were stored together and wait to be sealed. */
interface QueueRow {
  organization_id: string;
  queued_at: Date;
  id: string;
  ids: string[];
}

/** The oldest rows of these organizations, whose logs must be locked: of each up to MAX_EVENTS events, and at least one row. */
export async function readQueue(client: pg.PoolClient, organizations: readonly string[]): Promise<QueueRow[]> {
  const { rows } = await client.query<QueueRow>(
    `SELECT organization_id, queued_at, id, ids FROM unnest($1::uuid[]) AS due (organization) CROSS JOIN LATERAL (
       SELECT *, sum(cardinality(ids)) OVER (ORDER BY queued_at, id) AS events FROM (
         SELECT * FROM audit_seal_queue WHERE organization_id = due.organization ORDER BY queued_at, id LIMIT ${QUEUE_ROWS}
       ) AS oldest
     ) AS queued WHERE events - cardinality(ids) < ${MAX_EVENTS}`,
    [organizations],
  );
  return rows;
}

/** The first row of each organization, so that none delays another, and the next ones up to MAX_EVENTS events. */
export function firstRows<Row extends Pick<QueueRow, "organization_id" | "ids">>(rows: readonly Row[]): Row[] {
  const organizations = new Set<string>();
  let events = 0;
  return rows.filter(({ organization_id, ids }) => {
    const isFirst = !organizations.has(organization_id);
    organizations.add(organization_id);
    events += ids.length;
    return isFirst || events <= MAX_EVENTS;
  });
}

/** Whether an organization may have more rows than these, which `readQueue` returned. */
export function isMoreQueued(rows: readonly Pick<QueueRow, "organization_id" | "ids">[]): boolean {
  const read = new Map<string, { rows: number; events: number }>();
  for (const { organization_id, ids } of rows) {
    const { rows = 0, events = 0 } = read.get(organization_id) ?? {};
    read.set(organization_id, { rows: rows + 1, events: events + ids.length });
  }
  return [...read.values()].some(({ rows, events }) => rows === QUEUE_ROWS || events >= MAX_EVENTS);
}
