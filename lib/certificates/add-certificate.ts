import type { Input, Output } from "@/lib/api/endpoint";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import type * as contract from "@/lib/certificates/contract";
import { getCertificate } from "@/lib/certificates/get-certificate";
import { recordCertificates } from "@/lib/certificates/record-certificates";
import { readUploadedPem } from "@/lib/certificates/uploaded-pem";

/**
 * Keeps an eye on a certificate that nothing watched serves (yet). One that is known already is the same afterwards, but for being
 * marked as added. Throws 400, 403.
 */
export async function addCertificate(
  principal: Principal,
  { pem }: Input<typeof contract.addCertificate>,
): Promise<Output<typeof contract.addCertificate>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const chain = readUploadedPem(pem);
  const at = new Date();
  const id = await change(async (tx, event) => {
    const idOf = await recordCertificates(
      (text, values) => tx.$queryRawUnsafe(text, ...values),
      chain.map((certificate, position) => ({ organizationId, certificate, isOwn: position === 0, at })),
    );
    const id = idOf(organizationId, chain[0]);
    await tx.certificate.updateMany({ where: { organizationId, id, addedAt: null }, data: { addedAt: at } });
    event.resource("certificate", id);
    return id;
  });
  return getCertificate(principal, { id });
}
