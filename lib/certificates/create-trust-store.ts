import type { Input, Output } from "@/lib/api/endpoint";
import { ApiError } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import type * as contract from "@/lib/certificates/trust-store-contract";
import { readTrustStore } from "@/lib/certificates/trust-store-row";
import { readUploadedPem, writePem } from "@/lib/certificates/uploaded-pem";
import { newId } from "@/lib/ids";

/** Keeps certificates that endpoints may trust beside the public roots. Throws 400, 403, 409. */
export async function createTrustStore(
  principal: Principal,
  { name, pem }: Input<typeof contract.createTrustStore>,
): Promise<Output<typeof contract.createTrustStore>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const certificates = readUploadedPem(pem);
  const now = new Date();
  const id = newId();
  await refuseSameName(
    change(async (tx, event) => {
      const data = { organizationId, id, name, pem: writePem(certificates), createdAt: now, updatedAt: now };
      await tx.certificateTrustStore.create({ data });
      event.resource("certificate_trust_store", id);
    }),
  );
  return readTrustStore(organizationId, id);
}

/** Makes a name that is taken a 409. */
export async function refuseSameName<T>(changing: Promise<T>): Promise<T> {
  try {
    return await changing;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "P2002") throw error;
    throw new ApiError("CONFLICT", "There is a trust store of this name already.");
  }
}
