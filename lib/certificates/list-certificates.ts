import { decodeIdCursor, decodePosition, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { type CertificateRow, certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import { chooseCertificates } from "@/lib/certificates/choose";
import type * as contract from "@/lib/certificates/contract";
import { readServing } from "@/lib/certificates/serving";
import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";

/** Where a page by expiry ended: time and id, since several may expire at once. Throws 400. */
function afterExpiry(cursor: string | undefined, bound: unknown): Prisma.CertificateWhereInput {
  if (cursor === undefined) return {};
  const [time = "", id = ""] = decodePosition(cursor, bound, ["time", "id"]);
  const notAfter = new Date(time);
  return { OR: [{ notAfter: { gt: notAfter } }, { notAfter, id: { gt: id } }] };
}

function afterId(cursor: string | undefined, bound: unknown): Prisma.CertificateWhereInput {
  const after = decodeIdCursor(cursor, bound);
  return after === null ? {} : { id: { lt: after } };
}

/** The organization's own certificates that fit, most recently discovered first, or by expiry. */
export async function listCertificates(
  { organizationId }: Principal,
  { limit, cursor, sort, ...filters }: Input<typeof contract.listCertificates>,
): Promise<Output<typeof contract.listCertificates>> {
  const bound = ["certificates", sort, filters];
  const isByExpiry = sort === "expiry";
  const after = isByExpiry ? afterExpiry(cursor, bound) : afterId(cursor, bound);
  const rows: CertificateRow[] = await db().certificate.findMany({
    where: { AND: [chooseCertificates(organizationId, filters), after] },
    select: certificateColumns,
    orderBy: isByExpiry ? [{ notAfter: "asc" }, { id: "asc" }] : { id: "desc" },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const serving = await readServing(
    organizationId,
    page.map(({ id }) => id),
  );
  const last = page.at(-1);
  const position = last && (isByExpiry ? [last.notAfter.toISOString(), last.id] : [last.id]);
  return {
    items: page.flatMap((row) => {
      const served = serving.get(row.id);
      return served === undefined ? [] : { ...toCertificateSummary(row), ...served };
    }),
    nextCursor: rows.length > limit && position ? encodeCursor(position, bound) : null,
  };
}
