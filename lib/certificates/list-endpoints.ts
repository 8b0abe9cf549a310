import { decodeIdCursor, decodePosition, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { type EndpointRow, endpointRelations, toCertificateEndpoint } from "@/lib/certificates/certificate-endpoint";
import { chooseEndpoints } from "@/lib/certificates/choose";
import type * as contract from "@/lib/certificates/contract";
import { byUrgency } from "@/lib/certificates/urgency";
import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";

interface Order {
  orderBy: Prisma.CertificateEndpointOrderByWithRelationInput[];
  /** What follows the page that ended with this cursor. Throws 400. */
  after: (cursor: string | undefined, bound: unknown) => Prisma.CertificateEndpointWhereInput;
  /** Where a page ends. */
  position: (row: EndpointRow) => string[];
}

const orders: Record<Input<typeof contract.listCertificateEndpoints>["sort"], Order> = {
  newest: {
    orderBy: [{ id: "desc" }],
    after(cursor, bound) {
      const id = decodeIdCursor(cursor, bound);
      return id === null ? {} : { id: { lt: id } };
    },
    position: ({ id }) => [id],
  },
  urgency: {
    orderBy: [{ urgency: "asc" }, { expiresAt: "asc" }, { host: "asc" }, { id: "asc" }],
    after(cursor, bound) {
      if (cursor === undefined) return {};
      const [status = "", time = "", host = "", id = ""] = decodePosition(cursor, bound, [
        "text",
        "time",
        "text",
        "id",
      ]);
      const urgency = (byUrgency as readonly string[]).indexOf(status) + 1;
      const expiresAt = new Date(time);
      return {
        // The index begins there; the rest is told apart row by row.
        urgency: { gte: urgency },
        OR: [
          { urgency: { gt: urgency } },
          { urgency, expiresAt: { gt: expiresAt } },
          { urgency, expiresAt, host: { gt: host } },
          { urgency, expiresAt, host, id: { gt: id } },
        ],
      };
    },
    position: ({ status, expiresAt, host, id }) => [status, expiresAt.toISOString(), host, id],
  },
};

/** The organization's endpoints that fit, newest first or by urgency. */
export async function listCertificateEndpoints(
  { organizationId }: Principal,
  { limit, cursor, sort, ...filters }: Input<typeof contract.listCertificateEndpoints>,
): Promise<Output<typeof contract.listCertificateEndpoints>> {
  const { orderBy, after, position } = orders[sort];
  const bound = ["certificates/endpoints", sort, filters];
  const rows = await db().certificateEndpoint.findMany({
    where: { AND: [chooseEndpoints(organizationId, filters), after(cursor, bound)] },
    include: endpointRelations,
    orderBy,
    take: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toCertificateEndpoint),
    nextCursor: rows.length > limit && last ? encodeCursor(position(last), bound) : null,
  };
}
