import { randomBytes } from "node:crypto";
import type pg from "pg";
import { SHOWN, type ShownRow, toAuditEvent } from "@/lib/audit-logs/audit-event";
import type { EventKey } from "@/lib/audit-logs/seal/find-seals";
import { byteaArray } from "@/lib/db/bytea-array";
import { commitmentOf, eventParts, MISSING, NONCE_BYTES, partHash, saltsOf } from "@/lib/sealed-log/leaf";
import { mapInTurns } from "@/lib/turns";

type Database = Pick<pg.ClientBase, "query">;

interface StoredRow extends ShownRow {
  retention_days: number;
  /** Null if no body is stored. */
  body_hash: Buffer | null;
}

/** An event of the sealed log. */
export interface SealedEvent extends EventKey {
  /** 16 random bytes, from which the salts of the commitment follow. */
  nonce: Buffer;
  commitment: Uint8Array;
  /** The class in which the event is stored; null if it is not stored. */
  retentionDays: number | null;
}

/** Commits to events as they are stored. An event that is not stored gets the commitment of a missing one. */
export async function commitEvents(database: Database, events: readonly EventKey[]): Promise<SealedEvent[]> {
  if (events.length === 0) return [];
  const nonces = randomBytes(NONCE_BYTES * events.length);
  const drafts = events.map((key, position): Draft => {
    const nonce = nonces.subarray(position * NONCE_BYTES, (position + 1) * NONCE_BYTES);
    return { key, nonce, salts: saltsOf(nonce) };
  });
  const stored = await readStored(database, drafts);
  return mapInTurns(drafts, (draft) => {
    const row = stored.get(nameOf(draft.key));
    const { key, nonce } = draft;
    if (row === undefined) return { ...key, nonce, commitment: MISSING, retentionDays: null };
    return { ...key, nonce, commitment: commit(row, draft), retentionDays: row.retention_days };
  });
}

interface Draft {
  key: EventKey;
  nonce: Buffer;
  salts: ReturnType<typeof saltsOf>;
}

/** One text per event. */
export const nameOf = ({ organization_id, id }: EventKey) => `${organization_id} ${id}`;

function commit(row: StoredRow, { salts }: Draft): Uint8Array {
  const parts = eventParts({ ...toAuditEvent(row, null) }, null);
  return commitmentOf({
    request: partHash(salts.request, parts.request),
    body: row.body_hash ?? partHash(salts.body, parts.body),
    caller: partHash(salts.caller, parts.caller),
    outcome: partHash(salts.outcome, parts.outcome),
  });
}

/**
 * The stored events by name, whatever their class, with SHA-256(salt ‖ body) of their bodies: PostgreSQL hashes them, so that they are
 * not transferred. One statement, because an event and its body may be moved to another class together at any moment.
 */
async function readStored(database: Database, drafts: readonly Draft[]): Promise<Map<string, StoredRow>> {
  const ids = drafts.map(({ key }) => key.id).sort();
  const { rows } = await database.query<StoredRow>(
    `SELECT ${SHOWN}, retention_days, (
       SELECT sha256(due.salt || b.body) FROM audit_bodies b
       WHERE b.organization_id = e.organization_id AND b.retention_days = e.retention_days AND b.id = e.id AND b.id BETWEEN $4 AND $5
     ) AS body_hash
     FROM audit_events e JOIN unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS due (organization_id, id, salt)
       USING (organization_id, id)
     WHERE e.id BETWEEN $4 AND $5`,
    [
      drafts.map(({ key }) => key.organization_id),
      drafts.map(({ key }) => key.id),
      byteaArray(drafts.map(({ salts }) => Buffer.from(salts.body))),
      ids[0],
      ids.at(-1),
    ],
  );
  return new Map(rows.map((row) => [nameOf(row), row]));
}
