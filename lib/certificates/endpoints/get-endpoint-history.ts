import { type CertificateRow, certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import type * as contract from "@/lib/certificates/history-contract";
import { lifetimeLeftShare } from "@/lib/certificates/lifetime";
import { readSightings, toSeen } from "@/lib/certificates/record/sightings";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** The differences of a certificate from its predecessor, which it replaced at `at`. */
function changesOf(from: CertificateRow, to: CertificateRow, at: Date): contract.Sighting["changes"] {
  const key = ({ publicKeySha256 }: CertificateRow) => Buffer.from(publicKeySha256 ?? []).toString("hex");
  const [before, after] = [new Set(from.sans), new Set(to.sans)];
  return {
    from: toCertificateSummary(from),
    names_added: to.sans.filter((name) => !before.has(name)),
    names_removed: from.sans.filter((name) => !after.has(name)),
    is_issuer_changed: from.issuer !== to.issuer,
    is_key_changed: key(from) !== key(to),
    from_left_share: Math.round(lifetimeLeftShare(from, at) * 10_000) / 10_000,
  };
}

/** The certificates that an endpoint served over time, newest first. Throws 404. */
export async function getEndpointHistory(
  principal: Principal,
  { id, limit, cursor }: Input<typeof contract.getEndpointHistory>,
): Promise<Output<typeof contract.getEndpointHistory>> {
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  if ((await db().certificateEndpoint.findUnique({ where, select: { id: true } })) === null) throw notFound();
  const { rows, nextCursor } = await readSightings(principal, { by: "endpoint_id", id, limit, cursor });
  const ids = rows.flatMap(({ certificate_id, before_id }) => [certificate_id, ...(before_id ? [before_id] : [])]);
  const certificates = await db().certificate.findMany({
    where: { organizationId, id: { in: ids } },
    select: certificateColumns,
  });
  const byId = new Map(certificates.map((certificate) => [certificate.id, certificate]));
  const items = rows.flatMap((row) => {
    const certificate = byId.get(row.certificate_id);
    const before = row.before_id === null ? undefined : byId.get(row.before_id);
    if (certificate === undefined) return [];
    const changes = before === undefined ? null : changesOf(before, certificate, row.first_seen_at);
    return [{ ...toSeen(row), certificate: toCertificateSummary(certificate), changes }];
  });
  return { items, nextCursor };
}
