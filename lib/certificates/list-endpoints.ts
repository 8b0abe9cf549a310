import { decodeIdCursor, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { endpointRelations, toCertificateEndpoint } from "@/lib/certificates/certificate-endpoint";
import type * as contract from "@/lib/certificates/contract";
import { db } from "@/lib/db/app";

const FILTERS = "certificates/endpoints";

/** The organization's endpoints, newest first. */
export async function listCertificateEndpoints(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listCertificateEndpoints>,
): Promise<Output<typeof contract.listCertificateEndpoints>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().certificateEndpoint.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    include: endpointRelations,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toCertificateEndpoint),
    nextCursor: rows.length > limit && last ? encodeCursor([last.id], FILTERS) : null,
  };
}
