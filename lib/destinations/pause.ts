import type * as contract from "@/lib/destinations/contract";
import { changeDestination, showDestination } from "@/lib/destinations/destination";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Pauses a destination; one that is paused stays as it is. Throws 403, 404. */
export async function pauseDestination(
  principal: Principal,
  { id }: Input<typeof contract.pauseDestination>,
): Promise<Output<typeof contract.pauseDestination>> {
  requireAdmin(principal);
  const row = await changeDestination(principal, id, ({ pausedAt }, now) =>
    pausedAt === null ? { pausedAt: now, leasedUntil: null, updatedAt: now } : {},
  );
  return showDestination(row);
}
