import type pg from "pg";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { commitEvents } from "@/lib/audit-logs/seal/commit-events";
import { lockLogs, writeSeals } from "@/lib/audit-logs/seal/log-rows";
import { send } from "@/lib/audit-logs/write/append";

/** Why a log's epoch began: what was signed last and what is left of it; nulls for a log that had none before. */
export interface EpochDetails {
  reason: string | null;
  previous: { origin: string; size: number; root: string } | null;
  closed: { size: number; root: string } | null;
}

/** Stores and seals the first entry of a log's epoch. The log must be locked and empty. */
export async function startEpoch(
  client: pg.PoolClient,
  log: { organization_id: string; retention_days: number },
  details: EpochDetails,
): Promise<void> {
  const event = new AuditEventDraft({
    ...{ ...log, action: "audit_log.epoch_started", auth_type: "system", resource_type: "audit_log" },
    details: { ...details },
  });
  event.finish(null);
  await send(client, [{ row: event.row, body: null }]);
  await writeSeals(client, await lockLogs(client, [log.organization_id]), await commitEvents(client, [event.row]));
}
