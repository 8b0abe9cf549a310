import { decodeIdCursor, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import type * as contract from "@/lib/certificates/contract";
import { readServing } from "@/lib/certificates/serving";
import { db } from "@/lib/db/app";

const FILTERS = "certificates";

/** The certificates that the organization's endpoints were seen to serve as their own, most recently discovered first. */
export async function listCertificates(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listCertificates>,
): Promise<Output<typeof contract.listCertificates>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().certificate.findMany({
    where: {
      organizationId,
      OR: [{ servedFirst: true }, { addedAt: { not: null } }],
      ...(after !== null && { id: { lt: after } }),
    },
    select: certificateColumns,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const serving = await readServing(
    organizationId,
    page.map(({ id }) => id),
  );
  const last = page.at(-1);
  return {
    items: page.flatMap((row) => {
      const served = serving.get(row.id);
      return served === undefined ? [] : { ...toCertificateSummary(row), ...served };
    }),
    nextCursor: rows.length > limit && last ? encodeCursor([last.id], FILTERS) : null,
  };
}
