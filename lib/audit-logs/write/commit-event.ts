import { AuditEventDraft, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { completeOutbox } from "@/lib/audit-logs/write/outbox";
import { writer } from "@/lib/audit-logs/write/writer";
import type { Action } from "@/lib/http/actions";
import type { Principal } from "@/lib/http/principal";

/** Milliseconds between attempts to store the rest of a committed change's event after both databases failed. */
const RETRY_MS = 1_000;

/**
 * Makes an event durable. Throws 503 if no database accepts it, unless a committed change already left it in the outbox: the change must
 * not appear to have failed. The complete event is then retried; if this process dies, the worker delivers the row in the outbox.
 */
export async function commitEvent(event: AuditEventDraft): Promise<void> {
  try {
    await writer().write({ row: event.row, body: event.body });
  } catch (error) {
    if (!event.inOutbox) throw error;
    setTimeout(() => void commitEvent(event), RETRY_MS).unref();
    return;
  }
  // Not awaited: the remaining row does no harm until it is deleted.
  if (event.mayBeInOutbox) completeOutbox(event.id);
}

/**
 * Runs work that is not a request (a command, a sign-in) with its own event, which is durable when this returns, whether the work
 * succeeds or fails, unless the work discards the event.
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
    const isApiError = error instanceof Error && error.name === "ApiError";
    event.discarded = false;
    event.row.error_code = isApiError ? (code ?? null) : "INTERNAL_ERROR";
    event.row.error_message = isApiError ? (message ?? null) : null;
    throw error;
  } finally {
    event.finish(null);
    if (!event.discarded) await commitEvent(event);
  }
}
