import { type AuditEventDraft, auditEvent } from "@/lib/audit-logs/audit-event-draft";
import { prepareOutbox } from "@/lib/audit-logs/write/outbox";
import { inTransaction, type Transaction } from "@/lib/db/app";
import { CommitOutcomeUnknown } from "@/lib/db/commit-outcome";

/** Milliseconds, so that bursts of changes queue instead of failing. */
const TIMEOUT_MS = 15_000;

/**
 * The only way to change data: runs `work` in a transaction that also writes the event's outbox row, so that the change and its event
 * are committed together. What `work` sets on the event (resource, flags) takes effect only if the transaction commits. If the answer
 * to the commit is lost, this throws, and `commitEvent` finds out what happened.
 */
export async function auditedTransaction<Result>(
  work: (tx: Transaction, event: AuditEventDraft) => Promise<Result>,
): Promise<Result> {
  const event = auditEvent();
  const before = { ...event.row, flags: [...event.row.flags] };
  try {
    let writeOutbox: (tx: Transaction) => Promise<unknown> = async () => {};
    const result = await inTransaction(
      async (tx) => {
        for (const step of event.changeSteps) await step.first?.(tx);
        const done = await work(tx, event);
        for (const step of event.changeSteps) await step.last?.(tx);
        if (!event.discarded) writeOutbox = await prepareOutbox(event);
        return done;
      },
      {
        timeout: TIMEOUT_MS,
        last: (tx) => [writeOutbox(tx), ...event.changeSteps.map(async (step) => step.read?.(tx))],
      },
    );
    event.inOutbox = !event.discarded;
    return result;
  } catch (error) {
    if (error instanceof CommitOutcomeUnknown && !event.discarded) event.unansweredIn = event.row.organization_id;
    Object.assign(event.row, before);
    throw error;
  }
}
