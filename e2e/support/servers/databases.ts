import pg from "pg";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";

/** An event as stored in the audit database, with its body. */
export interface StoredEvent extends AuditRow {
  occurred_at: Date;
  is_security_event: boolean;
  body: Buffer | null;
}

const pools = new Map<string, pg.Pool>();

function poolOf(server: Sealwatch, database: "app" | "audit"): pg.Pool {
  const url = server.databases[database];
  let pool = pools.get(url);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, max: 4 });
    // Idle connections may break: some tests kill the database.
    pool.on("error", () => {});
    pools.set(url, pool);
  }
  return pool;
}

/** Queries one of the server's databases directly. */
export async function query<Row extends pg.QueryResultRow>(
  server: Sealwatch,
  database: "app" | "audit",
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(server, database).query<Row>(text, values)).rows;
}

/** The transactions that wait for a transaction, directly or for others that do. */
const WAITING = `WITH RECURSIVE waiting AS (
    SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))
    UNION SELECT a.pid FROM pg_stat_activity a JOIN waiting w ON w.pid = ANY (pg_blocking_pids(a.pid))
  ) SELECT count(*)::integer AS waiting FROM waiting`;

/** A transaction of the monitoring database that others wait for. */
interface Holder {
  /** Its first statement, which locks rows. */
  first: string;
  /** Its last statement, when others wait for the first. */
  last?: string;
  /** Parameters of each of the statements. */
  values: unknown[];
  /** How many transactions wait for it before its last statement. */
  waiting: number;
}

/**
 * Calls `work` while a transaction holds its locks, and commits this once enough others wait, or once the work is done. Returns the
 * result of the work; what waits longer than the server allows is answered 503.
 */
export async function whileHeld<Result>(
  server: Sealwatch,
  { first, last, values, waiting }: Holder,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await poolOf(server, "app").connect();
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await client.query(first, values);
    let isOver = false;
    const result = work().finally(() => {
      isOver = true;
    });
    await until("others wait", async () => {
      const [row] = await query<{ waiting: number }>(server, "app", WAITING, [rows[0]?.pid]);
      return isOver || (row?.waiting ?? 0) >= waiting;
    });
    if (last !== undefined) await client.query(last, values);
    await client.query("COMMIT");
    return await result;
  } finally {
    // Ends a transaction that was not committed.
    client.release(true);
  }
}

/**
 * Makes an organization's rules due before everybody's, however often it is called: a busy server evaluates those first that have
 * waited longest. Returns the time up to which its events are counted, in Unix milliseconds; null if they are not.
 */
export async function makeRulesDue(server: Sealwatch, organizationId: string): Promise<number | null> {
  const text = `UPDATE alert_evaluations SET next_at = 'epoch', events_next_at = 'epoch' WHERE organization_id = $1
    RETURNING extract(epoch FROM events_counted_at)::float * 1000 AS counted`;
  return (await query<{ counted: number | null }>(server, "app", text, [organizationId]))[0]?.counted ?? null;
}

const EVENTS = `SELECT e.*, host(e.ip_address) AS ip_address, b.body FROM audit_events e
  LEFT JOIN audit_bodies b USING (organization_id, retention_days, id)`;

/** Every event of an organization, oldest first, read from the database rather than through the API and its limits. */
export function eventsOf(server: Sealwatch, organizationId: string): Promise<StoredEvent[]> {
  return query<StoredEvent>(server, "audit", `${EVENTS} WHERE e.organization_id = $1 ORDER BY e.id`, [organizationId]);
}

/**
 * Waits until no event of an organization, by default of any, is left in the outbox. The events of requests that were answered before
 * are then in the audit database. On a busy machine it may be slow, and they arrive through the outbox, where an incomplete one waits a
 * minute for its process.
 */
export async function whenDelivered(server: Sealwatch, organizationId: string | null = null): Promise<void> {
  const left = "SELECT FROM audit_outbox WHERE $1::uuid IS NULL OR organization_id = $1 LIMIT 1";
  await until("the outbox is empty", async () => (await query(server, "app", left, [organizationId])).length === 0);
}

/**
 * The event of a request, by its request id. Throws unless there is exactly one. Waits for it: on a busy machine the audit database may
 * be slow, and the event then arrives through the outbox.
 */
export async function eventById(server: Sealwatch, id: string): Promise<StoredEvent> {
  const rows = await until(`the event ${id} is on record`, async () => {
    const found = await query<StoredEvent>(server, "audit", `${EVENTS} WHERE e.id = $1`, [id]);
    return found.length > 0 && found;
  });
  const [event] = rows;
  if (event === undefined || rows.length > 1) throw new Error(`${rows.length} events with the id ${id}`);
  return event;
}
