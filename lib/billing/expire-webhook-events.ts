import { deleteInSteps } from "@/lib/db/delete-in-steps";

/** Stripe repeats a notice for 3 days (docs.stripe.com/webhooks). */
const KEPT = "30 days";

/** Forgets notices that cannot come again, and readings of subscriptions that none under way can be older than. */
export async function expireWebhookEvents(signal: AbortSignal): Promise<void> {
  const stop = () => signal.aborted;
  await deleteInSteps("billing_events", `received_at < now() - interval '${KEPT}'`, [], stop);
  await deleteInSteps("billing_reads", `read_at < now() - interval '${KEPT}'`, [], stop);
}
