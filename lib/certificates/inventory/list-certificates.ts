import { type CertificateRow, certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import { chooseCertificates } from "@/lib/certificates/choose";
import type * as contract from "@/lib/certificates/contract";
import { readDefaultPage } from "@/lib/certificates/inventory/list-certificates-default-page";
import { readServing } from "@/lib/certificates/inventory/serving";
import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";
import { decodeIdCursor, decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** Continues after the last page by expiry: time and id, because several may expire at the same time. Throws 400. */
function afterExpiry(cursor: string | undefined, bound: unknown): Prisma.CertificateWhereInput {
  if (cursor === undefined) return {};
  const [time = "", id = ""] = decodePosition(cursor, bound, ["time", "id"]);
  const notAfter = new Date(time);
  return { OR: [{ notAfter: { gt: notAfter } }, { notAfter, id: { gt: id } }] };
}

type Asked = Omit<Input<typeof contract.listCertificates>, "limit"> & { take: number };

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

async function read(
  organizationId: string,
  { take, cursor, sort, ...filters }: Asked,
): Promise<contract.Certificate[]> {
  const bound = ["certificates", sort, filters];
  const chosen = chooseCertificates(organizationId, filters);
  if (sort === "expiry") {
    const rows = await db().certificate.findMany({
      where: { AND: [chosen, afterExpiry(cursor, bound)] },
      select: certificateColumns,
      orderBy: [{ notAfter: "asc" }, { id: "asc" }],
      take,
    });
    return withServing(organizationId, rows);
  }
  const after = decodeIdCursor(cursor, bound);
  const isPlain = Object.values(filters).every((filter) => filter === undefined);
  if (isPlain) return readDefaultPage({ organizationId, after, size: take });
  const rows = await db().certificate.findMany({
    where: { AND: [chosen, after === null ? {} : { id: { lt: after } }] },
    select: certificateColumns,
    orderBy: { id: "desc" },
    take,
  });
  return withServing(organizationId, rows);
}

/** The organization's own certificates that match the filters, most recently discovered first or by expiry. */
export async function listCertificates(
  { organizationId }: Principal,
  { limit, cursor, sort, ...filters }: Input<typeof contract.listCertificates>,
): Promise<Output<typeof contract.listCertificates>> {
  const found = await read(organizationId, { take: limit + 1, cursor, sort, ...filters });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const position = last && (sort === "expiry" ? [last.not_after, last.id] : [last.id]);
  return {
    items,
    nextCursor: found.length > limit && position ? encodeCursor(position, ["certificates", sort, filters]) : null,
  };
}
