import { toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** Returns a key of the organization. Throws 404. */
export async function getApiKey(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getApiKey>,
): Promise<Output<typeof contract.getApiKey>> {
  const row = await db().apiKey.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return toApiKey(row);
}
