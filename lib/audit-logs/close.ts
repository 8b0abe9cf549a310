import type { Action } from "@/lib/audit-logs/actions";
import { retire } from "@/lib/audit-logs/outbox";
import { Recording, recordings } from "@/lib/audit-logs/recording";
import { writer } from "@/lib/audit-logs/writer";
import type { Principal } from "@/lib/auth/principal";
import { log } from "@/lib/log";

/**
 * Makes an event durable. Throws 503 when no database takes it, unless a committed change already left it in the outbox:
 * then the worker will ship it, and the change must not look failed.
 */
export async function close(event: Recording): Promise<void> {
  try {
    await writer().write({ row: event.row, body: event.body });
  } catch (error) {
    if (event.inOutbox) return;
    throw error;
  }
  if (event.inOutbox) {
    // Not awaited: a row left behind only costs the worker a shipment in vain.
    retire([event.id]).catch((error) => log.warn({ err: error }, "an outbox row was not retired"));
  }
}

/** Runs work that is no request (a command, a sign-in) under an event of its own, which is durable when this returns. */
export async function recorded<Result>(
  known: { action: Action; principal?: Principal },
  work: (event: Recording) => Promise<Result>,
): Promise<Result> {
  const event = new Recording({ action: known.action, auth_type: "system" });
  if (known.principal) event.row.organization_id = known.principal.organizationId;
  try {
    return await recordings.run(event, () => work(event));
  } finally {
    event.finish(null);
    await close(event);
  }
}
