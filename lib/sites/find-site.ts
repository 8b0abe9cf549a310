import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { endpointRelations, toCertificateEndpoint } from "@/lib/certificates/endpoints/certificate-endpoint";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { nameForms } from "@/lib/network/names/name-forms";
import { hostOfTarget } from "@/lib/sites/host-of-target";
import type { Subdomain } from "@/lib/subdomains/contract";
import { findSubdomain } from "@/lib/subdomains/subdomain";
import type { Monitor } from "@/lib/uptime/contract";
import { toMonitor } from "@/lib/uptime/monitors/monitor";

/** Maximum number of endpoints, and of monitors, shown for a host. */
const MAX_SHOWN = 10;
/** Monitors whose target begins like one of the host; those of longer names are left out afterwards. */
const MAX_CANDIDATES = 500;

/** Everything that an organization monitors or has discovered of a host. */
export interface Site {
  host: string;
  endpoints: CertificateEndpoint[];
  monitors: Monitor[];
  /** The discovered name. */
  name: Subdomain | null;
}

/** What the organization knows about a host (in canonical form). Null if it knows nothing. */
export async function findSite(principal: Principal, host: string): Promise<Site | null> {
  const { organizationId } = principal;
  const [endpoints, monitors, name] = await Promise.all([
    db().certificateEndpoint.findMany({
      where: { organizationId, host },
      include: endpointRelations,
      orderBy: [{ port: "asc" }, { id: "asc" }],
      take: MAX_SHOWN,
    }),
    findMonitors(principal, host),
    findSubdomain(organizationId, host),
  ]);
  if (endpoints.length === 0 && monitors.length === 0 && name === null) return null;
  return { host, endpoints: endpoints.map(toCertificateEndpoint), monitors, name };
}

async function findMonitors({ organizationId }: Principal, host: string): Promise<Monitor[]> {
  // Targets are stored as they were written.
  const forms = nameForms(host).map((name) => (name.includes(":") ? `[${name}]` : name));
  const hosts = [...new Set([host, ...forms])];
  const starts = forms.flatMap((name) => [`http://${name}`, `https://${name}`, `${name}:`]);
  const rows = await db().uptimeMonitor.findMany({
    where: {
      organizationId,
      OR: [
        ...starts.map((startsWith) => ({ target: { startsWith, mode: "insensitive" as const } })),
        ...hosts.map((equals) => ({ type: { in: ["ping", "dns"] }, target: { equals, mode: "insensitive" as const } })),
      ],
    },
    orderBy: [{ urgency: "asc" }, { nameKey: "asc" }],
    take: MAX_CANDIDATES,
  });
  return rows
    .filter((row) => hostOfTarget(row) === host)
    .slice(0, MAX_SHOWN)
    .map(toMonitor);
}
