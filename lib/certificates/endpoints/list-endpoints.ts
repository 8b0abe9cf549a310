import { coveringSelector, hasEnabledChannel } from "@/lib/alert-selectors/covering-selector";
import type * as contract from "@/lib/certificates/contract";
import {
  type EndpointRow,
  endpointRelations,
  toCertificateEndpoint,
} from "@/lib/certificates/endpoints/certificate-endpoint";
import { notCoveredBy } from "@/lib/certificates/endpoints/not-covered";
import { endpointConditions } from "@/lib/certificates/filters";
import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";
import type { Kind } from "@/lib/http/cursor";
import type { Direction, Input, Output } from "@/lib/http/endpoint";
import { orderBy, readPage, sortBound, usualDirection } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";

type Asked = Input<typeof contract.listCertificateEndpoints>;

/** The columns of each order; the index of each is in prisma/app/certificates.prisma. */
const columns: Record<Asked["sort"], Readonly<Record<string, Kind>>> = {
  newest: { id: "id" },
  urgency: { urgency: "digit", expiresAt: "time", nameKey: "text", id: "id" },
  name: { nameKey: "text", id: "id" },
  expiry: { expiresAt: "time", id: "id" },
};

function orderOf(sort: Asked["sort"], order: Direction) {
  return orderBy<EndpointRow, Prisma.CertificateEndpointWhereInput, Prisma.CertificateEndpointOrderByWithRelationInput>(
    columns[sort],
    order,
  );
}

/** The organization's endpoints that match the filters, in the order asked for. */
export async function listCertificateEndpoints(
  { organizationId }: Principal,
  { limit, cursor, sort, order = usualDirection(sort), ...filters }: Asked,
): Promise<Output<typeof contract.listCertificateEndpoints>> {
  const bound = ["certificates/endpoints", sortBound(sort, order), filters];
  const covered = await whereCovered(organizationId, filters.covered);
  const { rows, nextCursor } = await readPage(
    orderOf(sort, order),
    { limit, cursor },
    bound,
    ({ after = {}, ...page }) =>
      db().certificateEndpoint.findMany({
        where: { AND: [endpointConditions(organizationId, filters), covered, after] },
        include: endpointRelations,
        ...page,
      }),
  );
  return { items: rows.map(toCertificateEndpoint), nextCursor };
}

/** The filter `covered`: without an enabled channel, no endpoint is. */
async function whereCovered(
  organizationId: string,
  covered: "true" | "false" | undefined,
): Promise<Prisma.CertificateEndpointWhereInput> {
  if (covered === undefined) return {};
  const isMute = !(await hasEnabledChannel(organizationId));
  const others = notCoveredBy(isMute ? null : await coveringSelector(organizationId, "endpoint"));
  return covered === "false" ? others : { NOT: others };
}
