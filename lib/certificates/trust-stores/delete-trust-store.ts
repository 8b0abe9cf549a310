import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { recordedTrustStore, toTrustStore, trustStoreRelations } from "@/lib/certificates/trust-stores/trust-store-row";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Deletes a trust store that no endpoint or monitor uses, and returns it. Throws 403, 404, 409. */
export async function deleteTrustStore(
  principal: Principal,
  { id }: Input<typeof contract.deleteTrustStore>,
): Promise<Output<typeof contract.deleteTrustStore>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedTransaction(async (tx, event) => {
    // Locked first: an endpoint or monitor that starts to use it meanwhile waits, and then finds it deleted.
    await tx.$queryRaw`SELECT id FROM certificate_trust_stores
      WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
    const last = await tx.certificateTrustStore.findUnique({
      where: { organizationId_id: { organizationId, id } },
      include: trustStoreRelations,
    });
    if (last === null) throw notFound();
    const where = { organizationId, trustStoreId: id };
    const endpoints = await tx.certificateEndpoint.count({ where });
    if (endpoints > 0) throw inUse(endpoints, "endpoint");
    const monitors = await tx.uptimeMonitor.count({ where });
    if (monitors > 0) throw inUse(monitors, "monitor");
    await tx.certificateTrustStore.deleteMany({ where: { organizationId, id } });
    event.resource("certificate_trust_store", id);
    recordChanges(event, last.name, recordedTrustStore(last), null);
    return { ...toTrustStore(last), pem: last.pem };
  });
}

function inUse(users: number, noun: string): ApiError {
  return new ApiError("CONFLICT", `${users} ${noun}${users === 1 ? " uses" : "s use"} this trust store.`);
}
