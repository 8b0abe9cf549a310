import { randomBytes } from "node:crypto";
import type pg from "pg";
import { SHOWN, type ShownRow, toAuditEvent } from "@/lib/audit-logs/audit-event";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { REDACTED_CALLER } from "@/lib/audit-logs/redacted-caller";
import type { EventKey } from "@/lib/audit-logs/seal/find-seals";
import { cut } from "@/lib/audit-logs/seal/seal-rows";
import type { StoredRedaction } from "@/lib/audit-logs/seal/stored-redactions";
import { byteaArray } from "@/lib/db/bytea-array";
import { decodeBase64 } from "@/lib/sealed-log/base64";
import {
  commitmentOf,
  eventParts,
  MISSING,
  NONCE_BYTES,
  type PerPart,
  partHash,
  parts,
  saltsOf,
} from "@/lib/sealed-log/leaf";
import { mapInTurns } from "@/lib/turns";

type Database = Pick<pg.ClientBase, "query">;

interface StoredRow extends ShownRow {
  retention_days: number;
  occurred_at: Date;
  /** Null if no body is stored. */
  body_hash: Buffer | null;
}

/** An event of the sealed log. */
export interface SealedEvent extends EventKey {
  /** 16 random bytes, from which the salts of the commitment follow. */
  nonce: Buffer;
  commitment: Uint8Array;
  /** The class in which the event is stored; null if it is not stored, or on hold. */
  retentionDays: number | null;
}

/** Commits to events as they are stored. An event that is not stored gets the commitment of a missing one. */
export async function commitEvents(database: Database, events: readonly EventKey[]): Promise<SealedEvent[]> {
  const nonces = cut(randomBytes(NONCE_BYTES * events.length), NONCE_BYTES);
  const drafts = events.map((key, position) => ({ ...key, nonce: nonces[position] ?? Buffer.alloc(0) }));
  const stored = await commitStored(database, drafts);
  return drafts.map((draft, position) => {
    const [{ commitment, retentionDays } = { commitment: MISSING, retentionDays: null }] = stored[position] ?? [];
    return { ...draft, commitment, retentionDays: retentionDays === HELD_CLASS ? null : retentionDays };
  });
}

/** An event with the nonce of its commitment, or with what replaced it when parts were redacted. */
type Draft = EventKey & Pick<SealedEvent, "nonce"> & { redacted?: StoredRedaction | undefined };

/** An event as it is stored. */
export interface StoredEvent {
  commitment: Uint8Array;
  retentionDays: number;
  /** Unix milliseconds. */
  occurredAt: number;
}

/**
 * Commits to each event as it is stored, with its nonce: none if it is not stored, several if it is in several classes. Of a redacted
 * part that is empty as it should be, the hash that is left counts.
 */
export async function commitStored(database: Database, events: readonly Draft[]): Promise<StoredEvent[][]> {
  if (events.length === 0) return [];
  const drafts = events.map((event) => ({ ...event, ...openSeal(event) }));
  const stored = await readStored(database, drafts);
  return mapInTurns(drafts, (draft) =>
    (stored.get(nameOf(draft)) ?? []).map((row) => ({
      commitment: commit(row, draft),
      retentionDays: row.retention_days,
      occurredAt: row.occurred_at.getTime(),
    })),
  );
}

/** The salt of each part; of a redacted one nothing, and its hash. */
interface Opened {
  salts: PerPart<Uint8Array>;
  hashes: Partial<PerPart<Uint8Array>>;
}
type Salted = EventKey & Opened;

function openSeal({ nonce, redacted }: Draft): Opened {
  if (redacted === undefined) return { salts: saltsOf(nonce), hashes: {} };
  const bytes = (text: string | undefined) => decodeBase64(text ?? "") ?? Buffer.alloc(0);
  const { request, body, caller, outcome } = redacted.salts;
  const hidden = parts.flatMap((part) => {
    const hash = redacted.hashes[part];
    return hash === undefined ? [] : [[part, bytes(hash)]];
  });
  return {
    salts: { request: bytes(request), body: bytes(body), caller: bytes(caller), outcome: bytes(outcome) },
    hashes: Object.fromEntries(hidden),
  };
}

/** One text per event. */
export const nameOf = ({ organization_id, id }: EventKey) => `${organization_id} ${id}`;

/** Whether nothing is stored about the caller. */
function isCallerEmpty(row: StoredRow): boolean {
  return Object.entries(REDACTED_CALLER).every(([name, value]) => Reflect.get(row, name) === value);
}

function commit(row: StoredRow, { salts, hashes }: Salted): Uint8Array {
  const bytes = eventParts({ ...toAuditEvent(row, null) }, null);
  return commitmentOf({
    request: partHash(salts.request, bytes.request),
    body: row.body_hash ?? hashes.body ?? partHash(salts.body, bytes.body),
    caller: (isCallerEmpty(row) ? hashes.caller : undefined) ?? partHash(salts.caller, bytes.caller),
    outcome: partHash(salts.outcome, bytes.outcome),
  });
}

/**
 * The stored events by name, whatever their class, with SHA-256(salt ‖ body) of their bodies: PostgreSQL hashes them, so that they are
 * not transferred. One statement, because an event and its body may be moved to another class together at any moment.
 */
async function readStored(database: Database, events: readonly Salted[]): Promise<Map<string, StoredRow[]>> {
  const ids = events.map(({ id }) => id).sort();
  const organizations = events.map(({ organization_id }) => organization_id);
  const { rows } = await database.query<StoredRow>(
    `SELECT ${SHOWN}, retention_days, occurred_at, (
       SELECT sha256(due.salt || b.body) FROM audit_bodies b
       WHERE b.organization_id = e.organization_id AND b.retention_days = e.retention_days AND b.id = e.id AND b.id BETWEEN $4 AND $5
     ) AS body_hash
     FROM audit_events e JOIN unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS due (organization_id, id, salt)
       USING (organization_id, id)
     WHERE e.organization_id = ANY($6::uuid[]) AND e.retention_days = ANY($7::smallint[]) AND e.id BETWEEN $4 AND $5`,
    [
      organizations,
      events.map(({ id }) => id),
      byteaArray(events.map(({ salts }) => Buffer.from(salts.body))),
      ids[0],
      ids.at(-1),
      [...new Set(organizations)],
      CLASSES,
    ],
  );
  const stored = new Map<string, StoredRow[]>();
  for (const row of rows) stored.set(nameOf(row), [...(stored.get(nameOf(row)) ?? []), row]);
  return stored;
}
