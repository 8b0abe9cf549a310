import type pg from "pg";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { readIds } from "@/lib/audit-logs/partitions/read-ids";
import { oldestDay } from "@/lib/audit-logs/partitions/spans";
import type { EventKey } from "@/lib/audit-logs/seal/find-seals";
import { createLog, type Log } from "@/lib/audit-logs/seal/log-rows";
import { send } from "@/lib/audit-logs/write/append";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { BEFORE_ANY_ID, idAt, NOBODY } from "@/lib/ids";
import { processSingleton } from "@/lib/process-singleton";

/** Events of one organization per transaction. */
const IMPORT_EVENTS = 2_000;

/**
 * Creates the logs of all organizations that may have events from before the sealed log, once for an installation. Interrupted, it goes
 * on with those that have none.
 */
export async function listImports(signal: AbortSignal): Promise<void> {
  const state = processSingleton("audit-logs.seal.imports", () => ({ isListed: false }));
  if (state.isListed) return;
  const { rows } = await auditPool().query<{ imports_listed: boolean }>(
    "SELECT imports_listed FROM audit_seal_installation",
  );
  if (rows[0]?.imports_listed === false) {
    for (const id of await organizationsWithEvents()) {
      if (signal.aborted) return;
      await createLog(auditPool(), id, BEFORE_ANY_ID);
    }
    await auditPool().query("UPDATE audit_seal_installation SET imports_listed = true");
  }
  state.isListed = true;
}

/** The operator, organizations, and deleted ones whose events are not deleted yet. */
async function organizationsWithEvents(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM organizations UNION SELECT organization_id FROM organization_purges",
  );
  return [NOBODY, ...rows.map(({ id }) => id)];
}

/**
 * The next events of each log from before the sealed log, by id. After the last of them, stores an event that says how many they were,
 * and ends the import. The logs must be locked.
 */
export async function importStored(client: pg.PoolClient, logs: readonly Log[]): Promise<EventKey[]> {
  const events: EventKey[] = [];
  if (logs.length === 0) return events;
  const { rows: installations } = await client.query<{ started_at: Date }>(
    "SELECT started_at FROM audit_seal_installation",
  );
  const end = idAt(installations[0]?.started_at.getTime() ?? 0);
  const oldest = idAt(await oldestDay(client));
  for (const log of logs) {
    const { organization_id, import_after } = log;
    const after = import_after !== null && import_after > oldest ? import_after : oldest;
    const page = after < end ? await readIds(client, organization_id, after, end, IMPORT_EVENTS) : null;
    const ids = page === null ? await endImport(client, log) : page.ids;
    events.push(...ids.map((id) => ({ organization_id, id })));
    await client.query("UPDATE audit_seal_logs SET import_after = $2 WHERE organization_id = $1", [
      organization_id,
      page?.until ?? null,
    ]);
  }
  return events;
}

/** Stores the event that ends an import. Returns its id; none if there was nothing to import. */
async function endImport(client: pg.PoolClient, { organization_id, size }: Log): Promise<string[]> {
  if (size === 0) return [];
  const { rows } = await client.query<{ retention_days: number }>(
    `SELECT retention_days FROM audit_seals WHERE organization_id = $1 ORDER BY first_index DESC LIMIT 1`,
    [organization_id],
  );
  const event = new AuditEventDraft({
    organization_id,
    action: "audit_log.sealing_started",
    auth_type: "system",
    resource_type: "audit_log",
    details: { imported: size },
    ...(rows[0] && { retention_days: rows[0].retention_days }),
  });
  event.finish(null);
  await send(client, [{ row: event.row, body: null }]);
  return [event.id];
}
