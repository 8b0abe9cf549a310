import { deleteInSteps } from "@/lib/db/delete-in-steps";

/** The job that forgets sessions a day after they ended: who signed in and out, and when, stands in the audit log. */
export async function expireSessions(signal: AbortSignal): Promise<void> {
  const condition = "(expires_at < now() - interval '1 day' OR ended_at < now() - interval '1 day')";
  await deleteInSteps("sessions", condition, [], () => signal.aborted);
}
