import type pg from "pg";
import type { RedactablePart, RedactionEvent } from "@/lib/audit-logs/contract";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";
import { type PerPart, parts } from "@/lib/sealed-log/leaf";

/** What is left of the seal of an event with redacted parts. */
export interface StoredRedaction {
  event_id: string;
  epoch: number;
  index: number;
  /** Salts of the parts that are shown, 16 bytes each as base64. */
  salts: Partial<PerPart<string>>;
  /** Hashes of the other parts, 32 bytes each as base64. */
  hashes: Partial<PerPart<string>>;
  /** The event that redacted each part. */
  redactions: Partial<Record<RedactablePart, RedactionEvent>>;
}

const COLUMNS = `event_id, epoch, index::float8 AS index, salts, hashes, redactions`;

/** The redacted events with the indexes [from, to) of a log, by index. */
export async function readRedactions(
  database: Pick<pg.ClientBase, "query">,
  { organization_id, epoch }: LogKey,
  from: number,
  to: number,
): Promise<Map<number, StoredRedaction>> {
  const { rows } = await database.query<StoredRedaction>(
    `SELECT ${COLUMNS} FROM audit_redactions WHERE organization_id = $1 AND epoch = $2 AND index >= $3 AND index < $4`,
    [organization_id, epoch, from, to],
  );
  return new Map(rows.map((row) => [row.index, row]));
}

/** What is left of the seal of one event; null if none of its parts is redacted. */
export async function readRedaction(
  database: Pick<pg.ClientBase, "query">,
  organizationId: string,
  id: string,
): Promise<StoredRedaction | null> {
  const { rows } = await database.query<StoredRedaction>(
    `SELECT ${COLUMNS} FROM audit_redactions WHERE organization_id = $1 AND event_id = $2`,
    [organizationId, id],
  );
  return rows[0] ?? null;
}

/** The seal of a redacted event for verifiers. A redaction in another epoch is left out: indexes are those of one log. */
export function redactedSeal({ index, epoch, salts, hashes, redactions }: StoredRedaction) {
  const own = Object.entries(redactions).filter(([, by]) => by.epoch === epoch);
  return {
    ...{ index, epoch, salts: inOrder(salts), hashes: inOrder(hashes) },
    redaction: Object.fromEntries(own.map(([part, by]) => [part, by.index])),
  };
}

const inOrder = (values: Partial<PerPart<string>>) =>
  Object.fromEntries(parts.flatMap((part) => (values[part] === undefined ? [] : [[part, values[part]]])));
