import { auditPool } from "@/lib/db/audit";

/** Rows per statement. */
export const STEP = 5_000;

/** Files an organization's seals under another retention class. */
export async function moveSeals(organizationId: string, to: number, stop: () => boolean): Promise<void> {
  await inSteps(
    `UPDATE audit_seals SET retention_days = $2 WHERE organization_id = $1 AND ctid IN (
       SELECT ctid FROM audit_seals WHERE organization_id = $1 AND retention_days <> $2 LIMIT ${STEP}
     )`,
    [organizationId, to],
    stop,
  );
}

/** The tables of the sealed logs, without that of their slots and the queue. */
const SEALED_LOG = [
  "audit_seals",
  "audit_redactions",
  "audit_seal_nodes",
  "audit_seal_checkpoints",
  "audit_seal_checks",
];

/** Deletes the sealed log of a deleted organization. Its slot is never given to another. */
export async function deleteSealedLog(organizationId: string, stop: () => boolean): Promise<void> {
  const own = [organizationId];
  await auditPool().query("DELETE FROM audit_seal_queue WHERE organization_id = $1", own);
  await auditPool().query("DELETE FROM audit_seal_keys WHERE organization_id = $1", own);
  const signing =
    "UPDATE audit_seal_logs SET refused = NULL, refused_at = NULL WHERE organization_id = $1 AND refused IS NOT NULL";
  await auditPool().query(signing, own);
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
