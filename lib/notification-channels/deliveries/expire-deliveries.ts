import { deleteInSteps } from "@/lib/db/delete-in-steps";

/** Deliveries older than this are deleted. */
const KEPT = "30 days";

/** Deletes old deliveries. Pending deliveries are never that old. */
export async function expireDeliveries(signal: AbortSignal): Promise<void> {
  const condition = `created_at < now() - interval '${KEPT}' AND status <> 'pending'`;
  await deleteInSteps("notification_deliveries", condition, [], () => signal.aborted);
}
