import type pg from "pg";
import { SHOWN, type ShownRow, toAuditEventWithBody } from "@/lib/audit-logs/audit-event";
import type { BundleStart } from "@/lib/audit-logs/bundle/header";
import { Conditions } from "@/lib/audit-logs/conditions";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { unexpired } from "@/lib/audit-logs/scope/where";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { StoredNodes } from "@/lib/audit-logs/seal/nodes";
import { token } from "@/lib/audit-logs/tokens";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { NONCE_BYTES } from "@/lib/sealed-log/leaf";
import { inclusionRanges, nodesOf, rootsOf } from "@/lib/sealed-log/proofs";

interface EventRow extends ShownRow {
  index: number;
  nonce: Buffer;
  body: Buffer | null;
}

/** An entry outside of the range of a bundle without which verifiers could not judge the range. */
export interface Outside {
  index: number;
  id: string;
}

/** Lines per step. */
const STEP = 50;
/** Changes of the plan say what could expire, changes of the key who signs, and the first event of an epoch what was before it. */
const CHANGES = [
  token("flag", "plan_changed"),
  token("action", "audit_log.key_rotated"),
  token("action", "audit_log.epoch_started"),
];

/** The events outside of the range of a bundle that changed the plan or the key, or that began the epoch, by index. */
export async function changesOutside(
  client: pg.ClientBase,
  { log, first, end, size }: BundleStart,
  scope: Scope,
): Promise<Outside[]> {
  if (first === 0 && end === size) return [];
  const all = new Conditions([log.organization_id, CLASSES, CHANGES]);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND tokens && $3::text[]
       AND error_code IS NULL AND ${unexpired(all, scope)}`,
    all.values,
  );
  const events = rows.map(({ id }) => ({ organization_id: log.organization_id, id }));
  const outside = [...(await findSeals(events, client))].flatMap(([id, { epoch, index }]) =>
    epoch === log.epoch && index < size && (index < first || index >= end) ? [{ index, id }] : [],
  );
  return outside.sort((one, other) => one.index - other.index);
}

/**
 * The next lines of entries outside of the range of a bundle, from the index `from` on: `changes`, and the events that redacted parts of
 * events in the range. Each has its inclusion proof. With the index after them; null if there are no more.
 */
export async function linesOutside(
  client: pg.ClientBase,
  start: BundleStart,
  changes: readonly Outside[],
  from: number,
): Promise<{ lines: unknown[]; next: number } | null> {
  const { log, size } = start;
  const due = [...changes.filter(({ index }) => index >= from), ...(await nextRedactions(client, start, from))]
    .sort((one, other) => one.index - other.index)
    .slice(0, STEP);
  const last = due.at(-1);
  if (last === undefined) return null;
  const { rows } = await client.query<EventRow>(
    `SELECT ${SHOWN}, due.index, (
       SELECT body FROM audit_bodies b
       WHERE b.organization_id = $1 AND b.retention_days = e.retention_days AND b.id = e.id AND b.id = ANY($4::uuid[])
     ) AS body, (
       SELECT substr(nonces, (due.index - first_index)::integer * ${NONCE_BYTES} + 1, ${NONCE_BYTES}) FROM audit_seals s
       WHERE s.organization_id = $1 AND epoch = $2 AND first_index <= due.index ORDER BY first_index DESC LIMIT 1
     ) AS nonce
     FROM audit_events e JOIN unnest($3::float8[], $4::uuid[]) AS due (index, id) USING (id)
     WHERE organization_id = $1 AND e.retention_days = ANY($5::smallint[]) AND e.id = ANY($4::uuid[]) ORDER BY due.index`,
    [log.organization_id, log.epoch, due.map(({ index }) => index), due.map(({ id }) => id), CLASSES],
  );
  const ranges = rows.map(({ index }) => inclusionRanges(index, size));
  const nodes = await StoredNodes.read(client, log, ranges.flatMap(nodesOf));
  const lines = rows.map((row, at) => ({
    also: {
      ...toAuditEventWithBody(row, row.body, null),
      seal: { index: row.index, epoch: log.epoch, nonce: encodeBase64(row.nonce) },
    },
    path: rootsOf(ranges[at] ?? [], nodes.at).map(encodeBase64),
  }));
  return { lines, next: last.index + 1 };
}

/** The next events behind the range that redacted parts of events in it. */
async function nextRedactions(
  client: pg.ClientBase,
  { log, first, end, size }: BundleStart,
  from: number,
): Promise<Outside[]> {
  const { rows } = await client.query<Outside>(
    `SELECT DISTINCT (by ->> 'index')::float8 AS index, by ->> 'id' AS id
     FROM audit_redactions r CROSS JOIN LATERAL jsonb_each(redactions) AS part (name, by)
     WHERE organization_id = $1 AND epoch = $2 AND r.index >= $3 AND r.index < $4 AND (by ->> 'epoch')::integer = $2
       AND (by ->> 'index')::bigint >= $5 AND (by ->> 'index')::bigint < $6
     ORDER BY 1 LIMIT ${STEP}`,
    [log.organization_id, log.epoch, first, end, Math.max(end, from), size],
  );
  return rows;
}
