import { pool } from "@/lib/db/app";

/** Forgets notices that cannot come again: Stripe repeats one for 3 days (docs.stripe.com/webhooks). */
export async function forgetNotices(): Promise<void> {
  await pool().query("DELETE FROM billing_events WHERE received_at < now() - interval '30 days'");
}
