import type { Transaction } from "@/lib/db/app";
import { Prisma } from "@/lib/db/generated/app/client";

/**
 * Locks rows of an organization by id until the end of the transaction, in the order of their ids, so that transactions that change
 * several rows do not deadlock. Call it before reading what will be changed.
 */
export async function lockRows(
  tx: Transaction,
  table:
    | "alert_rules"
    | "alerts"
    | "api_keys"
    | "certificate_endpoints"
    | "maintenance_windows"
    | "status_pages"
    | "uptime_monitors",
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.$queryRaw`SELECT id FROM ${Prisma.raw(table)}
    WHERE organization_id = ${organizationId}::uuid AND id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}
