import type pg from "pg";

/** Rows of the queue per organization and transaction: each row has the events of up to 500 requests. */
export const QUEUE_ROWS = 20;
/** Events of the queue per transaction, unless the first rows of all organizations have more. */
const MAX_EVENTS = 5_000;

/** Events of an organization that were stored together and wait to be sealed. */
export interface QueueRow {
  organization_id: string;
  queued_at: Date;
  id: string;
  ids: string[];
}

/** The oldest rows of these organizations, whose logs must be locked. */
export async function readQueue(client: pg.PoolClient, organizations: readonly string[]): Promise<QueueRow[]> {
  const { rows } = await client.query<QueueRow>(
    `SELECT organization_id, queued_at, id, ids FROM unnest($1::uuid[]) AS due (organization) CROSS JOIN LATERAL (
       SELECT * FROM audit_seal_queue WHERE organization_id = due.organization ORDER BY queued_at, id LIMIT ${QUEUE_ROWS}
     ) AS queued`,
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
