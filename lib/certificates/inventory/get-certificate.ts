import { readCaaOfNames } from "@/lib/certificates/caa/read-caa-of-names";
import type * as contract from "@/lib/certificates/contract";
import { readServing } from "@/lib/certificates/inventory/serving";
import { readRenewalInfo } from "@/lib/certificates/renewal-info/read-renewal-info";
import { toCertificateWithExtensions } from "@/lib/certificates/x509/certificate-with-extensions";
import { toPem } from "@/lib/certificates/x509/x509";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** A certificate with its PEM and the chain from the most recently checked endpoint that serves it. Throws 404. */
export async function getCertificate(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getCertificate>,
): Promise<Output<typeof contract.getCertificate>> {
  const row = await db().certificate.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  const server = await db().certificateEndpoint.findFirst({
    where: { organizationId, certificateId: id },
    orderBy: [{ lastCheckedAt: "desc" }, { id: "desc" }],
    select: { servedChain: true },
  });
  const ids = server?.servedChain ?? [id];
  const certificates = await db().certificate.findMany({ where: { organizationId, id: { in: ids } } });
  const byId = new Map(certificates.map((certificate) => [certificate.id, certificate]));
  const serving = (await readServing(organizationId, [id])).get(id);
  return {
    ...toCertificateWithExtensions(row),
    ...(serving ?? { chain_findings: [], endpoints: [], endpoint_count: 0 }),
    caa: await readCaaOfNames(organizationId, row),
    renewal_info: await readRenewalInfo(organizationId, id),
    pem: toPem(row.der),
    chain: ids.flatMap((each) => {
      const certificate = byId.get(each);
      return certificate === undefined
        ? []
        : { ...toCertificateWithExtensions(certificate), pem: toPem(certificate.der) };
    }),
  };
}
