import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/destinations/contract";
import { lockDestination, recordedDestination, showDestination } from "@/lib/destinations/destination";
import { openSecrets, sealContextOf } from "@/lib/destinations/secrets";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newSigningSecret } from "@/lib/notification-channels/providers/webhook";
import { rotateSigning, secretColumns } from "@/lib/notification-channels/stored-secrets";

/** Replaces the signing secret and returns the new one, only this once. Throws 403, 404, 409 for types that do not sign. */
export async function rotateDestinationSecret(
  principal: Principal,
  { id }: Input<typeof contract.rotateDestinationSecret>,
): Promise<Output<typeof contract.rotateDestinationSecret>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const secret = newSigningSecret();
  const row = await auditedTransaction(async (tx, event) => {
    const before = await lockDestination(tx, organizationId, id);
    const { isSigned, label } = shapeOf(before.type as DestinationType);
    if (!isSigned) throw new ApiError("CONFLICT", `${label} does not sign requests.`);
    event.resource("destination", id);
    event.flag("destination_changed");
    const { fields, signing } = openSecrets(before);
    const now = Date.now();
    const after = await tx.destination.update({
      where: { organizationId_id: { organizationId, id } },
      data: {
        ...secretColumns({ fields, signing: rotateSigning(signing, secret, now) }, sealContextOf(before)),
        updatedAt: new Date(now),
      },
    });
    recordChanges(event, before.name, recordedDestination(before), recordedDestination(after));
    return after;
  });
  return { ...(await showDestination(row)), signing_secret: secret };
}
