import { deleteInSteps } from "@/lib/db/delete-in-steps";

/** Worker job: deletes sessions one day after they ended. The audit log keeps the sign-ins and sign-outs. */
export async function expireSessions(signal: AbortSignal): Promise<void> {
  const condition = "(expires_at < now() - interval '1 day' OR ended_at < now() - interval '1 day')";
  await deleteInSteps("sessions", condition, [], () => signal.aborted);
}
