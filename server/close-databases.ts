import { releaseOutboxOwner } from "@/lib/audit-logs/outbox";
import { db, pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";

/** Ends every connection of this process. */
export async function closeDatabases(): Promise<void> {
  await releaseOutboxOwner();
  await db().$disconnect();
  await Promise.all([pool().end(), auditPool().end()]);
}
