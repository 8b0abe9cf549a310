import { setTimeout as delay } from "node:timers/promises";
import { AuditEventDraft, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { completeOutbox, findCommitted } from "@/lib/audit-logs/write/outbox";
import { writer } from "@/lib/audit-logs/write/writer";
import { logFailure } from "@/lib/db/outage-log";
import type { Action } from "@/lib/http/actions";
import { toApiError } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { beforeExit, shutdownRequested } from "@/lib/shutdown";

/** Milliseconds between attempts to store the rest of a change's event after the databases failed. */
const RETRY_MS = 1_000;

/**
 * Makes an event durable. Throws 503 if no database accepts it, unless a change of it is committed or may be: the outbox has the event of
 * the change then, and the change must not appear to have failed. The complete event is then retried; if this process dies, the worker
 * delivers the row in the outbox.
 */
export async function commitEvent(event: AuditEventDraft): Promise<void> {
  try {
    if (event.isCommitUnknown) await learnOutcome(event);
    await writer().write({ row: event.row, body: event.body });
  } catch (error) {
    if (!event.inOutbox && !event.isCommitUnknown) throw error;
    logFailure("the event of a change is not complete yet", error, { request_id: event.id });
    if (!shutdownRequested().aborted) beforeExit(commitLater(event));
    return;
  }
  // Not awaited: the remaining row does no harm until it is deleted.
  if (event.inOutbox) completeOutbox(event.id);
}

/** Tries again after a pause, or at once when the process is asked to stop: that attempt is the last. */
async function commitLater(event: AuditEventDraft): Promise<void> {
  await delay(RETRY_MS, undefined, { ref: false, signal: shutdownRequested() }).catch(() => {});
  await commitEvent(event);
}

/** Finds out whether a change whose commit was not answered stands, and if so, adds it to the event. Throws the driver's errors. */
async function learnOutcome(event: AuditEventDraft): Promise<void> {
  const committed = await findCommitted(event);
  if (committed !== null) event.adopt(committed);
  event.isCommitUnknown = false;
  event.inOutbox = true;
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
    event.discarded = false;
    event.fail(toApiError(error));
    throw error;
  } finally {
    event.finish(null);
    if (!event.discarded) await commitEvent(event);
  }
}
