import { type CertificateRow, certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import type * as contract from "@/lib/certificates/contract";
import { certificateConditions } from "@/lib/certificates/filters";
import { readDefaultPage } from "@/lib/certificates/inventory/list-certificates-default-page";
import { readServing } from "@/lib/certificates/inventory/serving";
import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";
import { decodeIdCursor, type Kind, pageById } from "@/lib/http/cursor";
import type { Direction, Input, Output } from "@/lib/http/endpoint";
import { orderBy, readPage, sortBound, usualDirection } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";

type Query = Input<typeof contract.listCertificates>;
type Row = CertificateRow & { nameKey: string };

/** The columns of each order; the index of each is in prisma/app/certificates.prisma. */
const columns: Record<Query["sort"], Readonly<Record<string, Kind>>> = {
  discovered: { id: "id" },
  expiry: { notAfter: "time", id: "id" },
  name: { nameKey: "text", id: "id" },
};

function orderOf(sort: Query["sort"], order: Direction) {
  return orderBy<Row, Prisma.CertificateWhereInput, Prisma.CertificateOrderByWithRelationInput>(columns[sort], order);
}

async function withServing(organizationId: string, rows: CertificateRow[]): Promise<contract.Certificate[]> {
  const served = await readServing(
    organizationId,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row) => {
    const serving = served.get(row.id);
    return serving === undefined ? [] : { ...toCertificateSummary(row), ...serving };
  });
}

/** The organization's own certificates that match the filters, most recently discovered first by default. */
export async function listCertificates(
  { organizationId }: Principal,
  { limit, cursor, sort, order = usualDirection(sort), ...filters }: Query,
): Promise<Output<typeof contract.listCertificates>> {
  const sorted = sortBound(sort, order);
  const bound = ["certificates", sorted, filters];
  const isPlain = Object.values(filters).every((filter) => filter === undefined);
  if (sorted === "discovered" && isPlain) {
    const after = decodeIdCursor(cursor, bound);
    return pageById(await readDefaultPage({ organizationId, after, size: limit + 1 }), limit, bound);
  }
  const { rows, nextCursor } = await readPage(
    orderOf(sort, order),
    { limit, cursor },
    bound,
    ({ after = {}, ...page }) =>
      db().certificate.findMany({
        where: { AND: [certificateConditions(organizationId, filters), after] },
        select: { ...certificateColumns, nameKey: true },
        ...page,
      }),
  );
  return { items: await withServing(organizationId, rows), nextCursor };
}
