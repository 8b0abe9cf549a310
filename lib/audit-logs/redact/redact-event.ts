import type pg from "pg";
import type { RedactablePart, RedactionEvent } from "@/lib/audit-logs/contract";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { redactCaller } from "@/lib/audit-logs/redact/redact-caller";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { readRedaction, type StoredRedaction } from "@/lib/audit-logs/seal/stored-redactions";
import { decodeBase64, encodeBase64 } from "@/lib/sealed-log/base64";
import { NONCE_BYTES, parts, SALT_BYTES, saltsOf } from "@/lib/sealed-log/leaf";
import type { Hash } from "@/lib/sealed-log/tree";

/** A request to redact a part of an event. */
export interface RedactionRequest {
  organization_id: string;
  event_id: string;
  part: RedactablePart;
  /** The event of the request. */
  request_id: string;
}

/**
 * `redacted`: nothing of the part is stored, also because the event has expired. `waiting`: no signed checkpoint covers the event or
 * the event of the request yet. `void`: that event is not a redaction of this part, or is gone, so that a verifier would not accept it.
 */
export type Outcome = "redacted" | "waiting" | "void";

/** How often to look for an event that may be moved to another retention class meanwhile. */
const ATTEMPTS = 3;

/** Redacts a part of an event, within a transaction. Repeated, it changes nothing. */
export async function redactEvent(client: pg.PoolClient, request: RedactionRequest): Promise<Outcome> {
  const { organization_id, event_id, part, request_id } = request;
  const seals = await findSeals(
    [event_id, request_id].map((id) => ({ organization_id, id })),
    client,
  );
  const [seal, by] = [seals.get(event_id), seals.get(request_id)];
  if (by === undefined) return "waiting";
  if (!(await isRedaction(client, request))) return "void";
  if (!(await lockEvent(client, request))) return "redacted";
  if (seal === undefined) return "waiting";
  const before = (await readRedaction(client, organization_id, event_id)) ?? {
    ...{ event_id, epoch: seal.epoch, index: seal.index, hashes: {}, redactions: {} },
    salts: await takeNonce(client, request, seal),
  };
  if (before.redactions[part] !== undefined) return "redacted";
  const redaction: RedactionEvent = { id: request_id, index: by.index, epoch: by.epoch, at: new Date().toISOString() };
  const redactions = { ...before.redactions, [part]: redaction };
  const salt = decodeBase64(before.salts[part] ?? "", SALT_BYTES);
  // Without a salt, the part is redacted: a new epoch has sealed only the event of the request again.
  const left = salt === null ? before : await withoutPart(client, request, before, salt);
  await save(client, organization_id, { ...left, redactions });
  return "redacted";
}

/** Whether the event of the request is what verifiers accept as a redaction of the part: a request whose response was lost is none. */
async function isRedaction(client: pg.PoolClient, request: RedactionRequest): Promise<boolean> {
  const { organization_id, event_id, part, request_id } = request;
  const { rows } = await client.query(
    `SELECT FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($5::smallint[]) AND id = $2
       AND action = 'audit_log.redact' AND resource_id = $3 AND details ->> 'part' = $4 AND error_code IS NULL
       AND coalesce(status_code, 202) = 202`,
    [organization_id, request_id, event_id, part, CLASSES],
  );
  return rows.length > 0;
}

/** Locks the event, so that it is not moved to another class before the end of the transaction. False if it is not stored. */
async function lockEvent(client: pg.PoolClient, { organization_id, event_id }: RedactionRequest): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // A statement that waited for a move does not see the moved row; the next one does.
    const { rows } = await client.query(
      "SELECT FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($3::smallint[]) AND id = $2 FOR UPDATE",
      [organization_id, event_id, CLASSES],
    );
    if (rows.length > 0) return true;
  }
  return false;
}

/** Overwrites the nonce of an event with zeros, because all salts follow from it. Returns the salts, as base64. */
async function takeNonce(
  client: pg.PoolClient,
  { organization_id, event_id }: RedactionRequest,
  { epoch, index }: { epoch: number; index: number },
): Promise<StoredRedaction["salts"]> {
  const own = [organization_id, epoch, index];
  const { rows } = await client.query<{ first_index: string; nonce: Buffer }>(
    `SELECT first_index, substr(nonces, ($3 - first_index)::integer * ${NONCE_BYTES} + 1, ${NONCE_BYTES}) AS nonce FROM audit_seals
     WHERE organization_id = $1 AND epoch = $2 AND first_index <= $3 ORDER BY first_index DESC LIMIT 1 FOR UPDATE`,
    own,
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`the seal of event ${event_id} is missing`);
  const salts = saltsOf(row.nonce);
  await client.query(
    `UPDATE audit_seals SET nonces = overlay(nonces PLACING $4 FROM ($3 - first_index)::integer * ${NONCE_BYTES} + 1)
     WHERE organization_id = $1 AND epoch = $2 AND first_index = $5`,
    [...own, Buffer.alloc(NONCE_BYTES), row.first_index],
  );
  return Object.fromEntries(parts.map((part) => [part, encodeBase64(salts[part])]));
}

/** Deletes what is stored of a part. Returns what is left of the seal: a hash instead of the part's salt. */
async function withoutPart(
  client: pg.PoolClient,
  request: RedactionRequest,
  before: StoredRedaction,
  salt: Uint8Array,
): Promise<StoredRedaction> {
  const hash = await deletePart(client, request, salt);
  const salts = Object.entries(before.salts).filter(([name]) => name !== request.part);
  const hashes = { ...before.hashes, [request.part]: encodeBase64(hash) };
  return { ...before, salts: Object.fromEntries(salts), hashes };
}

/** Deletes what is stored of a part. Returns SHA-256(salt ‖ its bytes). */
async function deletePart(
  client: pg.PoolClient,
  { organization_id, event_id, part }: RedactionRequest,
  salt: Uint8Array,
): Promise<Hash> {
  if (part === "caller") return redactCaller(client, organization_id, event_id, salt);
  const { rows } = await client.query<{ hash: Buffer }>(
    `WITH deleted AS (
       DELETE FROM audit_bodies WHERE organization_id = $1 AND retention_days = ANY($4::smallint[]) AND id = $2 RETURNING body
     )
     SELECT sha256($3::bytea || coalesce((SELECT body FROM deleted LIMIT 1), '')) AS hash`,
    [organization_id, event_id, salt, CLASSES],
  );
  if (rows[0] === undefined) throw new Error("PostgreSQL returned no hash");
  return rows[0].hash;
}

async function save(client: pg.PoolClient, organizationId: string, row: StoredRedaction): Promise<void> {
  await client.query(
    `INSERT INTO audit_redactions (organization_id, event_id, epoch, index, salts, hashes, redactions)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (organization_id, event_id) DO UPDATE SET salts = excluded.salts, hashes = excluded.hashes, redactions = excluded.redactions`,
    [
      ...[organizationId, row.event_id, row.epoch, row.index],
      ...[row.salts, row.hashes, row.redactions].map((json) => JSON.stringify(json)),
    ],
  );
}
