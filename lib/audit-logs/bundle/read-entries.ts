import type pg from "pg";
import { SHOWN } from "@/lib/audit-logs/audit-event";
import {
  bodySalt,
  type ProvenEvent,
  type ProvenRow,
  type SealedEntry,
  toProvenEvent,
} from "@/lib/audit-logs/bundle/proven-event";
import { Conditions } from "@/lib/audit-logs/conditions";
import { type Filters, hasOnlyRange } from "@/lib/audit-logs/filters";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { type Scope, startOf } from "@/lib/audit-logs/scope/scope";
import { unexpired, where } from "@/lib/audit-logs/scope/where";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";
import { cut } from "@/lib/audit-logs/seal/seal-rows";
import { readRedactions } from "@/lib/audit-logs/seal/stored-redactions";
import { auditPool } from "@/lib/db/audit";
import { byteaArray } from "@/lib/db/bytea-array";
import { withTransaction } from "@/lib/db/connections";
import { idTime } from "@/lib/ids";
import { eventLeafHash, NONCE_BYTES } from "@/lib/sealed-log/leaf";
import { HASH_BYTES, type Hash } from "@/lib/sealed-log/tree";
import { mapInTurns } from "@/lib/turns";

type Database = Pick<pg.ClientBase, "query">;

/**
 * Why an entry has no event: it does not match the filters; retention deleted it; it was sealed, but is not stored. What `readEntries`
 * calls missing may have expired under an earlier plan, which `excusedUntil` knows.
 */
export type Omission = "filter" | "expired" | "missing";

/** An entry of the sealed log: its event, or why there is none, and when it occurred (Unix milliseconds). */
export type ReadEntry = { index: number; leaf: () => Hash } & (
  | { event: ProvenEvent; omitted?: undefined }
  | { event?: undefined; omitted: Omission; time: number }
);

interface SealsRow {
  first_index: number;
  ids: string[];
  nonces: Buffer;
  commitments: Buffer;
}

/** What an organization sees of its log by time. */
export type Kept = Pick<Scope, "oldest" | "heldSince" | "holds">;

/** An event may be redacted at any moment: its seal and its body are of one snapshot. */
const ONE_SNAPSHOT = { readOnly: true, settings: { transaction_isolation: "repeatable read" } };

interface EntriesQuery {
  first: number;
  end: number;
  filters: Filters;
  kept: Kept;
}

/**
 * The entries [first, end) of a log by index, as far as their seals are kept; fewer at the front if retention has deleted them. Events
 * older than `kept.oldest` that are not on hold have expired, even if they are still stored.
 */
export function readEntries(log: LogKey, query: EntriesQuery): Promise<ReadEntry[]> {
  return withTransaction(auditPool(), (client) => readIn(client, log, query), ONE_SNAPSHOT);
}

async function readIn(
  database: Database,
  log: LogKey,
  { first, end, filters, kept }: EntriesQuery,
): Promise<ReadEntry[]> {
  const entries = await readSealedEntries(database, log, first, end);
  const chosen = hasOnlyRange(filters) ? null : await readMatches(database, log, entries, filters);
  const due = entries.filter(({ id }) => idTime(id) >= startOf(kept) && chosen?.get(id) !== false);
  const rows = await readRows(database, log, due, kept);
  return mapInTurns(entries, (entry): ReadEntry => {
    const { index, id, commitment } = entry;
    const place = { index, leaf: () => eventLeafHash(id, commitment) };
    const row = rows.get(id);
    if (row !== undefined) return { ...place, event: toProvenEvent(row, entry) };
    const time = idTime(id);
    if (chosen?.get(id) === false) return { ...place, omitted: "filter", time };
    return { ...place, omitted: time < kept.oldest ? "expired" : "missing", time };
  });
}

async function readSealedEntries(database: Database, log: LogKey, first: number, end: number): Promise<SealedEntry[]> {
  const { organization_id, epoch } = log;
  const { rows } = await database.query<SealsRow>(
    `SELECT first_index::float8 AS first_index, ids, nonces, commitments FROM audit_seals
     WHERE organization_id = $1 AND epoch = $2 AND first_index < $4 AND first_index >= coalesce((
       SELECT max(first_index) FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND first_index <= $3
     ), $3) ORDER BY first_index`,
    [organization_id, epoch, first, end],
  );
  const redactions = await readRedactions(database, log, first, end);
  return rows.flatMap(({ first_index, ids, nonces, commitments }) => {
    const [nonce, commitment] = [cut(nonces, NONCE_BYTES), cut(commitments, HASH_BYTES)];
    return ids.flatMap((id, at): SealedEntry[] => {
      const index = first_index + at;
      if (index < first || index >= end) return [];
      const secret = { nonce: nonce[at] ?? Buffer.alloc(0), commitment: commitment[at] ?? Buffer.alloc(0) };
      return [{ index, epoch, id, ...secret, redacted: redactions.get(index) }];
    });
  });
}

/** Whether each stored event matches. */
async function readMatches(
  database: Database,
  { organization_id }: LogKey,
  entries: readonly SealedEntry[],
  filters: Filters,
): Promise<Map<string, boolean>> {
  const fitting = where(
    { organizationId: organization_id, classes: [...CLASSES], oldest: 0, heldSince: null, holds: [], days: 0 },
    filters,
  );
  const matches = `${fitting}`;
  const ids = entries.map(({ id }) => id).sort();
  const [own, classes] = [fitting.value(organization_id), fitting.value(CLASSES)];
  const [all, least, greatest] = [fitting.value(ids), fitting.value(ids[0]), fitting.value(ids.at(-1))];
  const { rows } = await database.query<{ id: string; matches: boolean | null }>(
    `SELECT id, (${matches}) AS matches FROM audit_events
     WHERE organization_id = ${own} AND retention_days = ANY(${classes}::smallint[]) AND id = ANY(${all}::uuid[])
       AND id BETWEEN ${least} AND ${greatest}`,
    fitting.values,
  );
  return new Map(rows.map(({ id, matches }) => [id, matches === true]));
}

/** The stored events. PostgreSQL hashes their bodies, so that they are not transferred. */
async function readRows(
  database: Database,
  { organization_id }: LogKey,
  entries: readonly SealedEntry[],
  kept: Kept,
): Promise<Map<string, ProvenRow>> {
  if (entries.length === 0) return new Map();
  const ids = entries.map(({ id }) => id).sort();
  const all = new Conditions([
    organization_id,
    CLASSES,
    entries.map(({ id }) => id),
    byteaArray(entries.map(bodySalt)),
    ids[0],
    ids.at(-1),
  ]);
  const { rows } = await database.query<ProvenRow>(
    `SELECT ${SHOWN}, CASE WHEN body_size > 0 THEN (
       SELECT sha256(due.salt || b.body) FROM audit_bodies b
       WHERE b.organization_id = e.organization_id AND b.retention_days = e.retention_days AND b.id = e.id AND b.id BETWEEN $5 AND $6
     ) END AS body_hash
     FROM audit_events e JOIN unnest($3::uuid[], $4::bytea[]) AS due (id, salt) USING (id)
     WHERE e.organization_id = $1 AND e.retention_days = ANY($2::smallint[]) AND e.id BETWEEN $5 AND $6
       AND ${unexpired(all, kept)}`,
    all.values,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
