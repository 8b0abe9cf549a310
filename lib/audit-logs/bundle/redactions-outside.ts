import type pg from "pg";
import { SHOWN, type ShownRow, toAuditEventWithBody } from "@/lib/audit-logs/audit-event";
import type { BundleStart } from "@/lib/audit-logs/bundle/header";
import { StoredNodes } from "@/lib/audit-logs/seal/nodes";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { NONCE_BYTES } from "@/lib/sealed-log/leaf";
import { inclusionRanges, nodesOf, rootsOf } from "@/lib/sealed-log/proofs";

interface RedactionRow extends ShownRow {
  index: number;
  nonce: Buffer;
  body: Buffer | null;
}

/** Redactions per step. */
const STEP = 50;

/**
 * The lines of the next events after the range of a bundle that redacted parts of events in it, from the index `from` on, each with its
 * inclusion proof, and the index after them; null if there are no more.
 */
export async function redactionsOutside(
  client: pg.ClientBase,
  { log, first, end, size }: BundleStart,
  from: number,
): Promise<{ lines: unknown[]; next: number } | null> {
  const { rows: due } = await client.query<{ index: number; id: string }>(
    `SELECT DISTINCT (by ->> 'index')::float8 AS index, by ->> 'id' AS id
     FROM audit_redactions r CROSS JOIN LATERAL jsonb_each(redactions) AS part (name, by)
     WHERE organization_id = $1 AND epoch = $2 AND r.index >= $3 AND r.index < $4 AND (by ->> 'epoch')::integer = $2
       AND (by ->> 'index')::bigint >= $5 AND (by ->> 'index')::bigint < $6
     ORDER BY 1 LIMIT ${STEP}`,
    [log.organization_id, log.epoch, first, end, Math.max(end, from), size],
  );
  const last = due.at(-1);
  if (last === undefined) return null;
  const { rows } = await client.query<RedactionRow>(
    `SELECT ${SHOWN}, due.index, (
       SELECT body FROM audit_bodies b
       WHERE b.organization_id = e.organization_id AND b.retention_days = e.retention_days AND b.id = e.id
     ) AS body, (
       SELECT substr(nonces, (due.index - first_index)::integer * ${NONCE_BYTES} + 1, ${NONCE_BYTES}) FROM audit_seals s
       WHERE s.organization_id = $1 AND epoch = $2 AND first_index <= due.index ORDER BY first_index DESC LIMIT 1
     ) AS nonce
     FROM audit_events e JOIN unnest($3::float8[], $4::uuid[]) AS due (index, id) USING (id)
     WHERE organization_id = $1 ORDER BY due.index`,
    [log.organization_id, log.epoch, due.map(({ index }) => index), due.map(({ id }) => id)],
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
