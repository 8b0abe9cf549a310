import { isIP } from "node:net";
import type { Input, Output } from "@/lib/api/endpoint";
import { ApiError, invalid } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import { readCertificateEndpoint } from "@/lib/certificates/certificate-endpoint";
import { check, LEASE_SECONDS, type Watched } from "@/lib/certificates/check";
import type * as contract from "@/lib/certificates/contract";
import { config } from "@/lib/config";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { isForbidden } from "@/lib/network/guard";

/**
 * Watches an endpoint and looks at it at once; that it cannot be reached is a state. A forbidden address is refused, while a name that
 * leads to one is watched and found `unreachable` with that reason, since names change. Throws 400, 403, 409.
 */
export async function createCertificateEndpoint(
  principal: Principal,
  input: Input<typeof contract.createCertificateEndpoint>,
): Promise<Output<typeof contract.createCertificateEndpoint>> {
  requireAdmin(principal);
  refuseForbidden(input.host);
  const { organizationId } = principal;
  const target = { host: input.host, port: input.port, sni: storedSni(input) };
  const now = new Date();
  const watched = await refuseDuplicate(
    change(async (tx, event) => {
      const row = await tx.certificateEndpoint.create({
        data: {
          organizationId,
          id: newId(),
          ...target,
          servedChain: [],
          createdAt: now,
          updatedAt: now,
          nextCheckAt: now,
          leasedUntil: leaseFrom(now),
        },
      });
      event.resource("certificate_endpoint", row.id);
      return row;
    }),
  );
  await checkAtOnce(watched);
  return readCertificateEndpoint(organizationId, watched.id);
}

/** Throws 400 for an address that may not be probed here. */
export function refuseForbidden(host: string): void {
  if (isIP(host) !== 0 && isForbidden(host, config().PROBE_ALLOWED_NETWORKS)) {
    throw invalid("host", "is in a network that this installation does not probe (PROBE_ALLOWED_NETWORKS)");
  }
}

/** The name to send as it is stored: empty for the host itself. */
export function storedSni({ host, sni }: { host: string; sni: string | null }): string {
  return sni === null || sni === host ? "" : sni;
}

/** The lease of a check that begins now. */
export function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_SECONDS * 1000);
}

/** Makes a broken unique key a 409 that says which. */
export async function refuseDuplicate<T>(changing: Promise<T>): Promise<T> {
  try {
    return await changing;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "P2002") throw error;
    throw new ApiError("CONFLICT", "This host, port and server name are already watched.");
  }
}

/** The endpoint stands by now: when the check itself breaks, the worker makes up for it once the lease is over. */
export async function checkAtOnce(watched: Watched): Promise<void> {
  await check(watched).catch((error: unknown) => {
    log.error({ err: error, endpoint_id: watched.id }, "a new endpoint could not be checked at once");
  });
}
