import type * as contract from "@/lib/certificates/file-contract";
import { toPem } from "@/lib/certificates/x509/x509";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

const contentTypes = {
  pem: "application/x-pem-file",
  chain: "application/x-pem-file",
  der: "application/pkix-cert",
} as const;

/** The chain to serve with a certificate, as known from an endpoint that serves it; otherwise the certificate alone. */
async function readChain(organizationId: string, id: string): Promise<Uint8Array[]> {
  const server = await db().certificateEndpoint.findFirst({
    where: { organizationId, certificateId: id },
    orderBy: [{ lastCheckedAt: "desc" }, { id: "desc" }],
    select: { expectedChain: true, servedChain: true },
  });
  const chain = server?.expectedChain.length ? server.expectedChain : (server?.servedChain ?? []);
  const ids = chain[0] === id ? chain : [id];
  const rows = await db().certificate.findMany({
    where: { organizationId, id: { in: ids } },
    select: { id: true, der: true },
  });
  return ids.flatMap((each) => rows.find((row) => row.id === each)?.der ?? []);
}

/** A certificate as a file. Throws 404. */
export async function downloadCertificate(
  { organizationId }: Principal,
  { id, format }: Input<typeof contract.downloadCertificate>,
): Promise<Output<typeof contract.downloadCertificate>> {
  const row = await db().certificate.findUnique({
    where: { organizationId_id: { organizationId, id } },
    select: { der: true, commonName: true },
  });
  if (row === null) throw notFound();
  const chain = format === "chain" ? await readChain(organizationId, id) : [row.der];
  const body = format === "der" ? Buffer.from(row.der) : chain.map(toPem).join("");
  // The certificate's creator chose its name, so it is not trusted.
  const name = (row.commonName ?? "").replace(/[^A-Za-z0-9.-]+/g, "_").slice(0, 100) || "certificate";
  const ending = { pem: ".pem", chain: "-chain.pem", der: ".der" }[format];
  const disposition = `attachment; filename="${name}${ending}"`;
  return new Response(body, {
    headers: { "Content-Type": contentTypes[format], "Content-Disposition": disposition },
  });
}
