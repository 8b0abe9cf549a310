import type * as contract from "@/lib/destinations/contract";
import { filtersOf, readDestinationRow } from "@/lib/destinations/destination";
import type { FormatName } from "@/lib/destinations/formats/names";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { targetOf } from "@/lib/destinations/sending/target";
import { testTarget } from "@/lib/destinations/sending/test-target";
import type { DestinationType } from "@/lib/destinations/shapes";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Tests a destination, also a paused one. Its place in the log stays. Throws 403, 404, 409. */
export async function testDestination(
  principal: Principal,
  { id }: Input<typeof contract.testDestination>,
): Promise<Output<typeof contract.testDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const row = await readDestinationRow(organizationId, id);
  try {
    return await testTarget({
      ...{ organizationId, type: row.type as DestinationType, format: row.format as FormatName },
      ...{ filters: filtersOf(row.query), target: targetOf(row, Date.now()) },
    });
  } catch (error) {
    if (error instanceof SendFailure) return { ok: false, error: error.message, milliseconds: 0, exchanges: [] };
    throw error;
  }
}
