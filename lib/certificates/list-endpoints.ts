import { decodeIdCursor, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { endpointRelations, toCertificateEndpoint } from "@/lib/certificates/certificate-endpoint";
import { chooseEndpoints } from "@/lib/certificates/choose";
import type * as contract from "@/lib/certificates/contract";
import { db } from "@/lib/db/app";

/** The organization's endpoints that fit, newest first. */
export async function listCertificateEndpoints(
  { organizationId }: Principal,
  { limit, cursor, ...filters }: Input<typeof contract.listCertificateEndpoints>,
): Promise<Output<typeof contract.listCertificateEndpoints>> {
  const bound = ["certificates/endpoints", filters];
  const after = decodeIdCursor(cursor, bound);
  const rows = await db().certificateEndpoint.findMany({
    where: { ...chooseEndpoints(organizationId, filters), ...(after !== null && { id: { lt: after } }) },
    include: endpointRelations,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toCertificateEndpoint),
    nextCursor: rows.length > limit && last ? encodeCursor([last.id], bound) : null,
  };
}
