import { pool } from "@/lib/db/app";

/** The job that forgets sessions a day after they ended: who signed in and out, and when, stands in the audit log. */
export async function forgetSessions(): Promise<void> {
  await pool().query(
    "DELETE FROM sessions WHERE expires_at < now() - interval '1 day' OR ended_at < now() - interval '1 day'",
  );
}
