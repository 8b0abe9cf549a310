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
/** Milliseconds after which a server that has lost its client has executed what it got from it. */
const LATE_COMMIT_MS = 30_000;

/**
 * Makes an event durable. Throws 503 if no database accepts it, unless a change of it is committed or may be: the outbox has the event of
 * the change then, and the change must not appear to have failed. The complete event is then retried; if this process dies, the worker
 * delivers the row in the outbox.
 */
export async function commitEvent(event: AuditEventDraft): Promise<void> {
  const isUnanswered = event.unansweredIn !== null;
  try {
    const isDelivered = event.unansweredIn !== null && (await learnOutcome(event, event.unansweredIn));
    if (!isDelivered) await writer().write({ row: event.row, body: event.body });
  } catch (error) {
    if (!event.inOutbox && event.unansweredIn === null) throw error;
    logFailure("the event of a change is not complete yet", error, { request_id: event.id });
    if (!shutdownRequested().aborted) beforeExit(commitLater(event));
    return;
  }
  // Not awaited: the remaining row does no harm until it is deleted.
  if (event.inOutbox) completeOutbox(event.id);
  // Such a row would hold up what waits for the outbox until this process ends.
  if (isUnanswered) setTimeout(() => completeOutbox(event.id), LATE_COMMIT_MS).unref();
}

/** Tries again after a pause, or at once when the process is asked to stop: that attempt is the last. */
async function commitLater(event: AuditEventDraft): Promise<void> {
  await delay(RETRY_MS, undefined, { ref: false, signal: shutdownRequested() }).catch(() => {});
  await commitEvent(event);
}

/**
 * Finds out whether a change whose commit was not answered stands, and if so, adds it to the event. Returns whether the worker has delivered
 * the event meanwhile. Throws the driver's errors.
 */
async function learnOutcome(event: AuditEventDraft, organizationId: string): Promise<boolean> {
  const committed = await findCommitted(event, organizationId);
  if (committed !== null && committed !== "delivered") event.adopt(committed);
  event.unansweredIn = null;
  event.inOutbox = true;
  return committed === "delivered";
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
