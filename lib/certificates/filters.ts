import { byUrgency } from "@/lib/certificates/endpoint-statuses";
import type { CertificateFilters, EndpointFilters } from "@/lib/certificates/filter-fields";
import type { Prisma } from "@/lib/db/generated/app/client";
import { atUrgencyOf } from "@/lib/http/page-order";
import { nameForms } from "@/lib/network/names/name-forms";
import { DAY_MS } from "@/lib/time/units";

/** The names in certificates that cover a host: the host itself and a wildcard for its first label (RFC 9525 6.3). */
function covering(name: string): string[] {
  const dot = name.indexOf(".");
  return dot > 0 ? [name, `*${name.slice(dot)}`] : [name];
}

function keyOf(text: string): Prisma.CertificateWhereInput {
  // A longer number is not a size, and would not fit into its column.
  const [, keyType = text, bits] = /^(.+?)(?:-(\d{1,5}))?$/.exec(text.toLowerCase()) ?? [];
  return { keyType, ...(bits !== undefined && { keyBits: Number(bits) }) };
}

/** Filters the organization's own certificates: served as leaf certificates or submitted. */
export function certificateConditions(
  organizationId: string,
  filters: CertificateFilters,
): Prisma.CertificateWhereInput {
  const { expires_before, expires_after, issuer, key_type, name, usage, finding, sha256, unused } = filters;
  const conditions: Prisma.CertificateWhereInput[] = [
    { organizationId },
    { OR: [{ servedFirst: true }, { addedAt: { not: null } }] },
  ];
  if (expires_before !== undefined) conditions.push({ notAfter: { lt: new Date(expires_before) } });
  if (expires_after !== undefined) conditions.push({ notAfter: { gte: new Date(expires_after) } });
  if (issuer !== undefined) conditions.push({ issuer: { contains: issuer, mode: "insensitive" } });
  if (key_type !== undefined) conditions.push(keyOf(key_type));
  if (name !== undefined) conditions.push({ sans: { hasSome: nameForms(name).flatMap(covering) } });
  if (usage !== undefined) conditions.push({ extendedKeyUsages: { has: usage } });
  if (sha256 !== undefined) conditions.push({ sha256: Buffer.from(sha256, "hex") });
  if (unused === "true") conditions.push({ endpoints: { none: {} }, scannedAt: { none: {} } });
  if (unused === "false") conditions.push({ OR: [{ endpoints: { some: {} } }, { scannedAt: { some: {} } }] });
  if (finding !== undefined) {
    conditions.push({ endpoints: { some: { findings: { some: { code: finding, closedAt: null } } } } });
  }
  return { AND: conditions };
}

/** Endpoints with a text in their names; `host:port` also matches the port. */
function named(text: string): Prisma.CertificateEndpointWhereInput {
  const conditions = nameForms(text).flatMap((form): Prisma.CertificateEndpointWhereInput[] => {
    const [, host, port] = /^(.*):(\d{1,5})$/.exec(form) ?? [];
    const within = [{ host: { contains: form } }, { sni: { contains: form } }];
    if (host === undefined || port === undefined) return within;
    return [...within, { host: { endsWith: host }, port: Number(port) }];
  });
  return { OR: conditions };
}

/** Endpoints whose last check or scan found the certificate. */
function serving(certificateId: string): Prisma.CertificateEndpointWhereInput {
  return { OR: [{ certificateId }, { scanned: { some: { certificateId } } }] };
}

/** Endpoints with a certificate that expires within so many days: that of checks, or another one beside it. */
function expiringWithin(days: number): Prisma.CertificateEndpointWhereInput {
  const lt = new Date(Date.now() + days * DAY_MS);
  return { OR: [{ expiresAt: { lt } }, { scanned: { some: { certificate: { notAfter: { lt } } } } }] };
}

/** Filters the organization's endpoints. */
export function endpointConditions(
  organizationId: string,
  { q, tag, owner, status, finding, certificate_id, expires_within_days }: EndpointFilters,
): Prisma.CertificateEndpointWhereInput {
  return {
    organizationId,
    AND: [
      ...(q === undefined ? [] : [named(q)]),
      ...(certificate_id === undefined ? [] : [serving(certificate_id)]),
      ...(expires_within_days === undefined ? [] : [expiringWithin(expires_within_days)]),
    ],
    ...(tag !== undefined && { tags: { has: tag } }),
    ...(owner !== undefined && { owner }),
    ...(status !== undefined && { status, urgency: atUrgencyOf(byUrgency, status) }),
    ...(finding !== undefined && { findings: { some: { code: finding, closedAt: null } } }),
  };
}
