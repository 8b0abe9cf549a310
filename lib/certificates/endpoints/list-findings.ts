import { toEndpointReference, toFinding } from "@/lib/certificates/endpoints/certificate-endpoint";
import type * as contract from "@/lib/certificates/history-contract";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** The organization's findings, newest first. */
export async function listFindings(
  { organizationId }: Principal,
  { limit, cursor, ...filters }: Input<typeof contract.listFindings>,
): Promise<Output<typeof contract.listFindings>> {
  const bound = ["certificates/findings", filters];
  const after = decodeIdCursor(cursor, bound);
  const { endpoint_id, code, severity, open } = filters;
  const rows = await db().certificateFinding.findMany({
    where: {
      organizationId,
      ...(after !== null && { id: { lt: after } }),
      ...(endpoint_id !== undefined && { endpointId: endpoint_id }),
      ...(code !== undefined && { code }),
      ...(severity !== undefined && { severity }),
      ...(open !== undefined && { closedAt: open === "true" ? null : { not: null } }),
    },
    include: { endpoint: { select: { id: true, host: true, port: true, sni: true } } },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, bound);
  return {
    items: items.map((row) => ({ id: row.id, ...toFinding(row), endpoint: toEndpointReference(row.endpoint) })),
    nextCursor,
  };
}
