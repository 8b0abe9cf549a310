import type { Input, Output } from "@/lib/api/endpoint";
import { notFound } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import { readCertificateEndpoint } from "@/lib/certificates/certificate-endpoint";
import type * as contract from "@/lib/certificates/contract";
import {
  checkAtOnce,
  leaseFrom,
  refuseDuplicate,
  refuseForbidden,
  storedSni,
} from "@/lib/certificates/create-endpoint";
import { Prisma } from "@/lib/db/generated/app/client";

/** What is known of a target, forgotten: another one starts afresh. */
const AFRESH = {
  status: "pending",
  reachability: "unknown",
  reachabilitySince: null,
  failures: 0,
  certificateId: null,
  servedChain: [],
  lastCheckedAt: null,
};

/** Changes what is watched; another target is looked at at once. Throws 400, 403, 404, 409. */
export async function updateCertificateEndpoint(
  principal: Principal,
  { id, ...input }: Input<typeof contract.updateCertificateEndpoint>,
): Promise<Output<typeof contract.updateCertificateEndpoint>> {
  requireAdmin(principal);
  if (input.host !== undefined) refuseForbidden(input.host);
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  const changed = await refuseDuplicate(
    change(async (tx, event) => {
      const before = await tx.certificateEndpoint.findUnique({ where });
      if (before === null) throw notFound();
      const host = input.host ?? before.host;
      const port = input.port ?? before.port;
      const sni = storedSni({ host, sni: input.sni === undefined ? before.sni : input.sni });
      event.resource("certificate_endpoint", id);
      if (host === before.host && port === before.port && sni === before.sni) return null;
      const now = new Date();
      await tx.certificateFinding.updateMany({
        where: { organizationId, endpointId: id, closedAt: null },
        data: { closedAt: now },
      });
      return tx.certificateEndpoint.update({
        where,
        data: {
          ...AFRESH,
          host,
          port,
          sni,
          connection: Prisma.DbNull,
          version: { increment: 1 },
          updatedAt: now,
          nextCheckAt: now,
          leasedUntil: leaseFrom(now),
        },
      });
    }),
  );
  if (changed !== null) await checkAtOnce(changed);
  return readCertificateEndpoint(organizationId, id);
}
