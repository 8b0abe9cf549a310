import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { requireRoom } from "@/lib/billing/plan-limits";
import type * as contract from "@/lib/certificates/contract";
import { getCertificate } from "@/lib/certificates/inventory/get-certificate";
import { recordCertificates } from "@/lib/certificates/record/record-certificates";
import { readUploadedPem } from "@/lib/certificates/x509/uploaded-pem";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/**
 * Tracks a certificate that no monitored endpoint serves yet. Marks a certificate that is already known as added and changes
 * nothing else. Throws 400, 402, 403.
 */
export async function addCertificate(
  principal: Principal,
  { pem }: Input<typeof contract.addCertificate>,
): Promise<Output<typeof contract.addCertificate>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const chain = readUploadedPem(pem);
  const at = new Date();
  const id = await auditedTransaction(async (tx, event) => {
    const sha256 = Buffer.from(chain[0].sha256, "hex");
    const added = await tx.certificate.findFirst({
      where: { organizationId, sha256, addedAt: { not: null } },
      select: { id: true },
    });
    if (added === null) await requireRoom(tx, organizationId, "added_certificates", 1);
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
