import { releaseOutboxOwner } from "@/lib/audit-logs/write/outbox";
import { db } from "@/lib/db/app";
import { endPools } from "@/lib/db/connections";

/** Closes every database connection of this process. */
export async function closeDatabases(): Promise<void> {
  await releaseOutboxOwner();
  await db().$disconnect();
  await endPools();
}
