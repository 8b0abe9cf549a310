import { refuseLasting } from "@/lib/api-keys/outlive";
import type * as contract from "@/lib/destinations/contract";
import { changeDestination, showDestination } from "@/lib/destinations/destination";
import { sealContextOf } from "@/lib/destinations/secrets";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newSigningSecret } from "@/lib/notification-channels/providers/webhook";
import { rotateSigning, secretColumns, secretsToRotate } from "@/lib/notification-channels/stored-secrets";

/**
 * Replaces the signing secret and returns the new one, only this once. Throws 403, 404, 409 for types that do not sign, or if
 * other secrets have to be given again first.
 */
export async function rotateDestinationSecret(
  principal: Principal,
  { id }: Input<typeof contract.rotateDestinationSecret>,
): Promise<Output<typeof contract.rotateDestinationSecret>> {
  requireAdmin(principal);
  const secret = newSigningSecret();
  const row = await changeDestination(principal, id, async (before, now, tx) => {
    await refuseLasting(tx, principal, "the signing secret");
    const { isSigned, label } = shapeOf(before.type as DestinationType);
    if (!isSigned) throw new ApiError("CONFLICT", `${label} does not sign requests.`);
    const { fields, signing } = secretsToRotate(before, sealContextOf(before));
    const secrets = { fields, signing: rotateSigning(signing, secret, now.getTime()) };
    return { ...secretColumns(secrets, sealContextOf(before)), updatedAt: now };
  });
  return { ...(await showDestination(row)), signing_secret: secret };
}
