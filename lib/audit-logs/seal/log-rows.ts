import type pg from "pg";
import type { SealedEvent } from "@/lib/audit-logs/seal/commit-events";
import { appendToTree, splitIntoRows } from "@/lib/audit-logs/seal/seal-rows";
import { byteaArray } from "@/lib/db/bytea-array";
import { idTime } from "@/lib/ids";

/** The retention class of a log whose events are all missing. */
export const LONGEST_RETENTION_DAYS = 2555;

/** The sealed log of an organization. */
export interface Log {
  organization_id: string;
  epoch: number;
  size: number;
  edge: Buffer;
  /** The last imported event; null if nothing remains to be imported. */
  import_after: string | null;
}

/** Creates an organization's log in the next slot, unless it has one. `importAfter`: events after this one are imported. */
export async function createLog(
  database: Pick<pg.Pool, "query">,
  organizationId: string,
  importAfter: string | null = null,
): Promise<void> {
  // The installation's row is locked meanwhile, so that no slot is assigned twice. A slot may stay unused.
  await database.query(
    `WITH given AS (UPDATE audit_seal_installation SET slots = slots + 1
       WHERE NOT EXISTS (SELECT FROM audit_seal_logs WHERE organization_id = $1) RETURNING slots - 1 AS slot, epoch)
     INSERT INTO audit_seal_logs (organization_id, slot, epoch, import_after)
     SELECT $1, slot, epoch, $2 FROM given ON CONFLICT DO NOTHING`,
    [organizationId, importAfter],
  );
}

/** The logs of organizations, locked for this transaction. Logs that another worker has locked are left out, or waited for. */
export async function lockLogs(
  client: pg.PoolClient,
  organizations: readonly string[],
  others: "skip" | "wait" = "skip",
): Promise<Log[]> {
  const { rows } = await client.query<Log>(
    `SELECT organization_id, epoch, size::float8 AS size, edge, import_after FROM audit_seal_logs
     WHERE organization_id = ANY($1::uuid[]) ORDER BY organization_id FOR UPDATE ${others === "skip" ? "SKIP LOCKED" : ""}`,
    [organizations],
  );
  return rows;
}

/** Appends events to their logs, in the given order. The logs must be locked. */
export async function writeSeals(
  client: pg.PoolClient,
  logs: readonly Log[],
  events: readonly SealedEvent[],
): Promise<void> {
  const ofLog = new Map<string, SealedEvent[]>(logs.map(({ organization_id }) => [organization_id, []]));
  for (const event of events) ofLog.get(event.organization_id)?.push(event);
  const changes = logs
    .map((log) => ({ log, events: ofLog.get(log.organization_id) ?? [] }))
    .filter(({ events }) => events.length > 0)
    .map(({ log, events }) => ({ log, rows: splitIntoRows(log.size, events), tree: appendToTree(log, events) }));
  if (changes.length === 0) return;
  const rows = changes.flatMap(({ log, rows }) => rows.map((row) => ({ log, ...row })));
  const nodes = changes.flatMap(({ log, tree }) => tree.nodes.map((node) => ({ log, ...node })));
  // Ids within a row are in order of time. Imported events are filed under their own time.
  await client.query(
    `INSERT INTO audit_seals (organization_id, epoch, first_index, retention_days, filed_at, sealed_at, min_at, max_at, ids, nonces, commitments)
     SELECT organization_id, l.epoch, first_index, coalesce(row.retention_days, (
         SELECT retention_days FROM audit_seals s WHERE s.organization_id = l.organization_id
         ORDER BY s.epoch DESC, s.first_index DESC LIMIT 1
       ), ${LONGEST_RETENTION_DAYS}),
       CASE WHEN import_after IS NULL THEN greatest(sealed_at, now()) ELSE max_at END, greatest(sealed_at, now()),
       min_at, max_at, ids::uuid[], nonces, commitments
     FROM unnest($1::uuid[], $2::bigint[], $3::smallint[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::bytea[], $8::bytea[])
       AS row (organization_id, first_index, retention_days, min_at, max_at, ids, nonces, commitments)
     JOIN audit_seal_logs l USING (organization_id)`,
    [
      rows.map(({ log }) => log.organization_id),
      rows.map(({ firstIndex }) => firstIndex),
      rows.map(({ events }) => retentionDaysOf(events)),
      rows.map(({ events }) => timeOf(events[0])),
      rows.map(({ events }) => timeOf(events.at(-1))),
      rows.map(({ events }) => `{${events.map(({ id }) => id).join(",")}}`),
      byteaArray(rows.map(({ events }) => Buffer.concat(events.map(({ nonce }) => nonce)))),
      byteaArray(rows.map(({ events }) => Buffer.concat(events.map(({ commitment }) => commitment)))),
    ],
  );
  await client.query(
    `INSERT INTO audit_seal_nodes (organization_id, epoch, level, position, hash)
     SELECT * FROM unnest($1::uuid[], $2::integer[], $3::smallint[], $4::bigint[], $5::bytea[])`,
    [
      nodes.map(({ log }) => log.organization_id),
      nodes.map(({ log }) => log.epoch),
      nodes.map(({ level }) => level),
      nodes.map(({ position }) => position),
      byteaArray(nodes.map(({ hash }) => Buffer.from(hash))),
    ],
  );
  await client.query(
    `UPDATE audit_seal_logs l SET size = grown.size, edge = grown.edge, sealed_at = greatest(l.sealed_at, now())
     FROM unnest($1::uuid[], $2::bigint[], $3::bytea[]) AS grown (organization_id, size, edge)
     WHERE l.organization_id = grown.organization_id`,
    [
      changes.map(({ log }) => log.organization_id),
      changes.map(({ tree }) => tree.size),
      byteaArray(changes.map(({ tree }) => tree.edge)),
    ],
  );
}

/** The class of the events; null if none is stored: they then get the class of the events before them. */
function retentionDaysOf(events: readonly SealedEvent[]): number | null {
  const known = events.flatMap(({ retentionDays }) => retentionDays ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

function timeOf(event: SealedEvent | undefined): string {
  return new Date(event === undefined ? 0 : idTime(event.id)).toISOString();
}
