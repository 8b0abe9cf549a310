import { toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/identify-contract";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** Finds the key of a current or rotated-out secret by the secret's hash. Other organizations' secrets are like unknown ones. */
export async function identifyApiKey(
  { organizationId }: Principal,
  { secret_sha256 }: Input<typeof contract.identifyApiKey>,
): Promise<Output<typeof contract.identifyApiKey>> {
  const found = await db().apiKeySecret.findFirst({
    where: { organizationId, hash: Uint8Array.from(Buffer.from(secret_sha256, "hex")) },
    include: { apiKey: true },
  });
  if (found === null) return { match: null };
  return {
    match: {
      api_key: toApiKey(found.apiKey),
      hint: found.hint,
      issued_at: found.issuedAt.toISOString(),
      retired_at: found.retiredAt?.toISOString() ?? null,
    },
  };
}
