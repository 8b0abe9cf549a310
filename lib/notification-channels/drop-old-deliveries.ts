import { pool } from "@/lib/db/app";

/** Deliveries older than this are forgotten. */
const KEPT = "30 days";

/** Forgets old deliveries; what still waits is never that old. */
export async function dropOldDeliveries(): Promise<void> {
  await pool().query(
    `DELETE FROM notification_deliveries WHERE created_at < now() - interval '${KEPT}' AND status <> 'pending'`,
  );
}
