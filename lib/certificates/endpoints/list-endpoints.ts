import { coveringSelector, hasEnabledChannel } from "@/lib/alert-selectors/covering-selector";
import { chooseEndpoints } from "@/lib/certificates/choose";
import type * as contract from "@/lib/certificates/contract";
import {
  type EndpointRow,
  endpointRelations,
  toCertificateEndpoint,
} from "@/lib/certificates/endpoints/certificate-endpoint";
import { notCoveredBy } from "@/lib/certificates/endpoints/not-covered";
import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { following, newestFirst, type PageOrder, readPage } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";

type Order = PageOrder<
  EndpointRow,
  Prisma.CertificateEndpointWhereInput,
  Prisma.CertificateEndpointOrderByWithRelationInput
>;

const orders: Record<Input<typeof contract.listCertificateEndpoints>["sort"], Order> = {
  newest: newestFirst,
  urgency: {
    orderBy: [{ urgency: "asc" }, { expiresAt: "asc" }, { host: "asc" }, { id: "asc" }],
    kinds: ["digit", "time", "text", "id"],
    position: ({ urgency, expiresAt, host, id }) => [String(urgency), expiresAt.toISOString(), host, id],
    after: ([urgency = "", expiresAt = "", host = "", id = ""]) =>
      following({ urgency: Number(urgency), expiresAt: new Date(expiresAt), host, id }),
  },
};

/** The organization's endpoints that match the filters, newest first or by urgency. */
export async function listCertificateEndpoints(
  { organizationId }: Principal,
  { limit, cursor, sort, ...filters }: Input<typeof contract.listCertificateEndpoints>,
): Promise<Output<typeof contract.listCertificateEndpoints>> {
  const bound = ["certificates/endpoints", sort, filters];
  const covered = await whereCovered(organizationId, filters.covered);
  const { rows, nextCursor } = await readPage(orders[sort], { limit, cursor }, bound, ({ after = {}, ...page }) =>
    db().certificateEndpoint.findMany({
      where: { AND: [chooseEndpoints(organizationId, filters), covered, after] },
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
