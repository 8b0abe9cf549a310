import { auditPool } from "@/lib/db/audit";

/** Rows per statement. */
export const STEP = 5_000;

/** A row of an organization's seals, by its place in the log. */
export interface SealPlace {
  epoch: number;
  first_index: string;
}

/** Before the first row. */
export const BEFORE_SEALS: SealPlace = { epoch: 0, first_index: "0" };

const MOVE = `
WITH step AS (
  SELECT epoch, first_index, retention_days FROM audit_seals WHERE organization_id = $1 AND (epoch, first_index) > ($3, $4)
  ORDER BY epoch, first_index LIMIT ${STEP}
), moved AS (
  UPDATE audit_seals s SET retention_days = $2 FROM step
  WHERE s.organization_id = $1 AND s.epoch = step.epoch AND s.first_index = step.first_index AND step.retention_days <> $2
)
SELECT epoch, first_index FROM step ORDER BY epoch DESC, first_index DESC LIMIT 1`;

/**
 * Files an organization's seals after a place under another retention class. Returns the place of the last one: rows are only appended,
 * so that the next call can continue there.
 */
export async function moveSeals(
  organizationId: string,
  to: number,
  after: SealPlace,
  stop: () => boolean,
): Promise<SealPlace> {
  let place = after;
  while (!stop()) {
    const values = [organizationId, to, place.epoch, place.first_index];
    const { rows } = await auditPool().query<SealPlace>(MOVE, values);
    const [last] = rows;
    if (last === undefined) break;
    place = last;
  }
  return place;
}

/** The tables of the sealed logs, without that of their slots and the queue. */
const SEALED_LOG = [
  "audit_seals",
  "audit_redactions",
  "audit_seal_nodes",
  "audit_seal_checkpoints",
  "audit_seal_checks",
];

/**
 * Ends a log at its head: nothing is imported or signed any more. The head stays, for the proofs of others. A signer or sealer that has the
 * row is waited for.
 */
const END_AT_HEAD = `
UPDATE audit_seal_logs SET size = head_size, edge = head_edge, import_after = NULL, refused = NULL, refused_at = NULL
WHERE organization_id = $1 AND (size > head_size OR import_after IS NOT NULL OR refused IS NOT NULL)`;

/** Deletes the sealed log of a deleted organization. Its slot is never given to another. */
export async function deleteSealedLog(organizationId: string, stop: () => boolean): Promise<void> {
  const own = [organizationId];
  await auditPool().query("DELETE FROM audit_seal_queue WHERE organization_id = $1", own);
  await auditPool().query("DELETE FROM audit_seal_keys WHERE organization_id = $1", own);
  // Before the seals: the signer would refuse a log whose head it cannot compute.
  await auditPool().query(END_AT_HEAD, own);
  for (const table of SEALED_LOG) {
    const some = `SELECT ctid FROM ${table} WHERE organization_id = $1 LIMIT ${STEP}`;
    await inSteps(`DELETE FROM ${table} WHERE organization_id = $1 AND ctid IN (${some})`, own, stop);
  }
}

/** Repeats a statement while it changes a full step of rows. */
export async function inSteps(sql: string, values: unknown[], stop: () => boolean): Promise<void> {
  for (let changed = STEP; changed === STEP && !stop(); ) {
    changed = (await auditPool().query(sql, values)).rowCount ?? 0;
  }
}
