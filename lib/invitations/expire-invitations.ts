import { pool } from "@/lib/db/app";

/** Forgets invitations a month after they expired: that they were made stands in the audit log. */
export async function expireInvitations(): Promise<void> {
  await pool().query("DELETE FROM invitations WHERE expires_at < now() - interval '30 days'");
}
