import { pool } from "@/lib/db/app";

/** Deletes invitations a month after they expired. The audit log keeps their creation. */
export async function expireInvitations(): Promise<void> {
  await pool().query("DELETE FROM invitations WHERE expires_at < now() - interval '30 days'");
}
