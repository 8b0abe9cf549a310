import type { Input, Output } from "@/lib/api/endpoint";
import { notFound } from "@/lib/api/errors";
import { toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import type { Principal } from "@/lib/auth/principal";
import { db } from "@/lib/db/app";

/** One key of the organization. Throws 404. */
export async function getApiKey(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getApiKey>,
): Promise<Output<typeof contract.getApiKey>> {
  const row = await db().apiKey.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return toApiKey(row);
}
