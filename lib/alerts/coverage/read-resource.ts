import type { CoveredResource } from "@/lib/alerts/rules/covers";
import { db } from "@/lib/db/app";
import { notFound } from "@/lib/http/errors";

/** A resource that rules can cover. */
export interface Resource extends CoveredResource {
  id: string;
  name: string;
  /** The validity of the certificate that an endpoint serves, in Unix milliseconds. */
  validity: { notBefore: number; notAfter: number } | null;
}

type Read = (organizationId: string, id: string) => Promise<Omit<Resource, "type" | "id"> | null>;

const keyOf = (organizationId: string, id: string) => ({ organizationId_id: { organizationId, id } });
const named = (id: string, row: { name: string; tags?: string[] } | null) =>
  row && { name: row.name, ids: [id], tags: row.tags ?? [], validity: null };

const readers: Record<CoveredResource["type"], Read> = {
  endpoint: async (organizationId, id) => {
    const row = await db().certificateEndpoint.findUnique({
      where: keyOf(organizationId, id),
      select: {
        host: true,
        port: true,
        tags: true,
        certificate: { select: { id: true, notBefore: true, notAfter: true } },
      },
    });
    if (row === null) return null;
    const { host, port, tags, certificate } = row;
    return {
      name: `${host}:${port}`,
      ids: certificate === null ? [id] : [id, certificate.id],
      tags,
      validity: certificate && {
        notBefore: certificate.notBefore.getTime(),
        notAfter: certificate.notAfter.getTime(),
      },
    };
  },
  monitor: async (organizationId, id) => {
    const select = { name: true, tags: true };
    return named(id, await db().uptimeMonitor.findUnique({ where: keyOf(organizationId, id), select }));
  },
  api_key: async (organizationId, id) =>
    named(id, await db().apiKey.findFirst({ where: { organizationId, id }, select: { name: true } })),
  domain: async (organizationId, id) =>
    named(id, await db().domain.findUnique({ where: keyOf(organizationId, id), select: { name: true } })),
};

/** A resource of the organization. Throws 404. */
export async function readResource(organizationId: string, type: Resource["type"], id: string): Promise<Resource> {
  const found = await readers[type](organizationId, id);
  if (found === null) throw notFound();
  return { ...found, type, id };
}
