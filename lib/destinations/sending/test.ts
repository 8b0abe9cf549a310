import { changedValues } from "@/lib/destinations/changed-values";
import type * as contract from "@/lib/destinations/contract";
import { filtersOf, readDestinationRow } from "@/lib/destinations/destination";
import type { FormatName } from "@/lib/destinations/formats/names";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { requireFormat } from "@/lib/destinations/require-format";
import { targetOf } from "@/lib/destinations/sending/target";
import { testTarget } from "@/lib/destinations/sending/test-target";
import type { DestinationType } from "@/lib/destinations/shapes";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/**
 * Tests a destination, also a paused one, with changes before they are saved. Its position in the log stays.
 * Throws 400, also if kept secrets would go to another origin, 403, 404, 409, 503.
 */
export async function testDestination(
  principal: Principal,
  { id, settings, secrets, format, query }: Input<typeof contract.testDestination>,
): Promise<Output<typeof contract.testDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const row = await readDestinationRow(organizationId, id);
  const type = row.type as DestinationType;
  try {
    const saved = targetOf(row, Date.now());
    const isChanged = (settings ?? secrets) !== undefined;
    return await testTarget({
      ...{ organizationId, type },
      format: format === undefined ? (row.format as FormatName) : requireFormat(type, format),
      filters: filtersOf(query ?? row.query),
      target: isChanged ? { ...saved, ...changedValues(row, { settings, secrets }) } : saved,
    });
  } catch (error) {
    if (error instanceof SendFailure) return { ok: false, error: error.message, milliseconds: 0, exchanges: [] };
    throw error;
  }
}
