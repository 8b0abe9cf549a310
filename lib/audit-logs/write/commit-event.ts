import { AuditEventDraft, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { completeOutbox } from "@/lib/audit-logs/write/outbox";
import { writer } from "@/lib/audit-logs/write/writer";
import type { Action } from "@/lib/http/actions";
import type { Principal } from "@/lib/http/principal";

/** How long after both databases failed the rest of a committed change's event is tried again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Makes an event durable. Throws 503 when no database takes it, unless a committed change already left it in the outbox: the
 * change must not look failed. The whole event is then tried until it is taken; the worker ships what is there if we die first.
 */
export async function commitEvent(event: AuditEventDraft): Promise<void> {
  try {
    await writer().write({ row: event.row, body: event.body });
  } catch (error) {
    if (!event.inOutbox) throw error;
    setTimeout(() => void commitEvent(event), RETRY_MS).unref();
    return;
  }
  // Not awaited: until it is completed the row costs nothing.
  if (event.mayBeInOutbox) completeOutbox(event.id);
}

/**
 * Runs work that is no request (a command, a sign-in) under an event of its own, which is durable when this returns,
 * whatever came of the work; unless the work discards it.
 */
export async function withAuditEvent<Result>(
  known: { action: Action; principal?: Principal; retentionDays?: number },
  work: (event: AuditEventDraft) => Promise<Result>,
): Promise<Result> {
  const { action, principal, retentionDays } = known;
  const event = new AuditEventDraft({
    action,
    auth_type: "system",
    ...(principal && { organization_id: principal.organizationId }),
    ...(retentionDays !== undefined && { retention_days: retentionDays }),
  });
  try {
    return await draftStorage.run(event, () => work(event));
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    const told = error instanceof Error && error.name === "ApiError";
    event.discarded = false;
    event.row.error_code = told ? (code ?? null) : "INTERNAL_ERROR";
    event.row.error_message = told ? (message ?? null) : null;
    throw error;
  } finally {
    event.finish(null);
    if (!event.discarded) await commitEvent(event);
  }
}
