import { pool } from "@/lib/db/app";

/** Forgets notices that cannot come again, and readings that none can be older than: Stripe repeats for 3 days (docs.stripe.com/webhooks). */
export async function forgetNotices(): Promise<void> {
  await pool().query("DELETE FROM billing_reads WHERE read_at < now() - interval '30 days'");
  await pool().query("DELETE FROM billing_events WHERE received_at < now() - interval '30 days'");
}
