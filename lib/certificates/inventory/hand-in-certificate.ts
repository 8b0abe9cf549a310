import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { requireRoom } from "@/lib/billing/plan-limits";
import { certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import type * as contract from "@/lib/certificates/contract";
import { recordCertificates } from "@/lib/certificates/record/record-certificates";
import { readUploadedPem } from "@/lib/certificates/x509/uploaded-pem";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/**
 * Records a certificate that a client has obtained. Unlike an added one, nobody is notified when it expires: the client hands in its
 * successor. Throws 400, 402, 403.
 */
export async function handInCertificate(
  principal: Principal,
  { pem }: Input<typeof contract.handInCertificate>,
): Promise<Output<typeof contract.handInCertificate>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const chain = readUploadedPem(pem);
  if (chain[0].isCa) throw invalid("pem", "must begin with the obtained certificate, not with a CA's");
  const at = new Date();
  return auditedTransaction(async (tx, event) => {
    const sha256 = Buffer.from(chain[0].sha256, "hex");
    const known = { organizationId, sha256, obtainedAt: { not: null } };
    const isKnown = (await tx.certificate.findFirst({ where: known, select: { id: true } })) !== null;
    if (!isKnown) await requireRoom(tx, organizationId, "obtained_certificates", 1);
    const idOf = await recordCertificates(
      (text, values) => tx.$queryRawUnsafe(text, ...values),
      chain.map((certificate, position) => ({ organizationId, certificate, isOwn: position === 0, at })),
    );
    const id = idOf(organizationId, chain[0]);
    await tx.certificate.updateMany({ where: { organizationId, id, obtainedAt: null }, data: { obtainedAt: at } });
    event.resource("certificate", id);
    const where = { organizationId_id: { organizationId, id } };
    return toCertificateSummary(await tx.certificate.findUniqueOrThrow({ where, select: certificateColumns }));
  });
}
