import type { Transaction } from "@/lib/db/app";
import type { DestinationActivity } from "@/lib/destinations/contract";
import { type NewError, withError } from "@/lib/destinations/sending/with-error";

/** Adds a failure to the last ones of a destination, which the caller has leased. */
export async function addError(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
  error: NewError,
  now: Date,
): Promise<void> {
  const where = { organizationId_id: { organizationId, id } };
  const row = await tx.destination.findUnique({ where, select: { recentErrors: true } });
  if (row === null) return;
  const recentErrors = withError(row.recentErrors as DestinationActivity["errors"], error, now);
  await tx.destination.update({ where, data: { recentErrors } });
}
