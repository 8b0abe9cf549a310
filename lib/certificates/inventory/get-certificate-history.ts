import { toEndpointReference } from "@/lib/certificates/endpoints/certificate-endpoint";
import type * as contract from "@/lib/certificates/history-contract";
import { readSightings, toSeen } from "@/lib/certificates/record/sightings";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** Where a certificate was served as a leaf, newest first. Throws 404. */
export async function getCertificateHistory(
  principal: Principal,
  { id, limit, cursor }: Input<typeof contract.getCertificateHistory>,
): Promise<Output<typeof contract.getCertificateHistory>> {
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  if ((await db().certificate.findUnique({ where, select: { id: true } })) === null) throw notFound();
  const { rows, nextCursor } = await readSightings(principal, { by: "certificate_id", id, limit, cursor });
  const items = rows.map((row) => ({ ...toSeen(row), endpoint: toEndpointReference({ ...row, id: row.endpoint_id }) }));
  return { items, nextCursor };
}
