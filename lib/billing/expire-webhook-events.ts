import { deleteInSteps } from "@/lib/db/delete-in-steps";

/** Stripe repeats an event for 3 days (docs.stripe.com/webhooks). */
const KEPT = "30 days";

/** Deletes events that Stripe no longer repeats, and readings older than any reading in progress. */
export async function expireWebhookEvents(signal: AbortSignal): Promise<void> {
  const stop = () => signal.aborted;
  await deleteInSteps("billing_events", `received_at < now() - interval '${KEPT}'`, [], stop);
  await deleteInSteps("billing_reads", `read_at < now() - interval '${KEPT}'`, [], stop);
}
