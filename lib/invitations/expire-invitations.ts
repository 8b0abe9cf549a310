import { pool } from "@/lib/db/app";

/** Deletes invitations a month after they expired, and the record of their mails after a day. The audit log keeps their creation. */
export async function expireInvitations(): Promise<void> {
  await pool().query("DELETE FROM invitations WHERE expires_at < now() - interval '30 days'");
  await pool().query("DELETE FROM invitation_mails WHERE sent_at < now() - interval '1 day'");
}
