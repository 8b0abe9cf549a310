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

/** Queries one of the server's databases directly. */
export async function query<Row extends pg.QueryResultRow>(
  server: Sealwatch,
  database: "app" | "audit",
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const url = server.databases[database];
  let pool = pools.get(url);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, max: 4 });
    // Idle connections may break: some tests kill the database.
    pool.on("error", () => {});
    pools.set(url, pool);
  }
  return (await pool.query<Row>(text, values)).rows;
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
