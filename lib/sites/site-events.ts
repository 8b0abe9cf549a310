import { toAlert } from "@/lib/alerts/alert-row";
import type { Alert } from "@/lib/alerts/contract";
import { getEndpointHistory } from "@/lib/certificates/endpoints/get-endpoint-history";
import type { Sighting } from "@/lib/certificates/history-contract";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import type { Site } from "@/lib/sites/find-site";
import type { Issuance } from "@/lib/subdomains/contract";
import { issuanceRelations, toIssuance } from "@/lib/subdomains/issuance";
import type { Incident } from "@/lib/uptime/incidents/contract";
import { incidentRelations, toIncident } from "@/lib/uptime/incidents/incident";

/** Maximum number of events shown of each kind, newest first. */
export const MAX_EVENTS = 100;

/** The certificates that endpoints of the site served since then, by address, newest first. `since` is in Unix milliseconds. */
export async function siteCertificates(principal: Principal, site: Site, since: number): Promise<Sighting[]> {
  const histories = await Promise.all(
    site.endpoints.map(({ id }) => getEndpointHistory(principal, { id, limit: MAX_EVENTS, cursor: undefined })),
  );
  return histories
    .flatMap(({ items }) => items)
    .filter(({ last_seen_at }) => Date.parse(last_seen_at) >= since)
    .sort((a, b) => Date.parse(b.first_seen_at) - Date.parse(a.first_seen_at));
}

/** Incidents of the site's monitors that were not over then, newest first. `since` is in Unix milliseconds. */
export async function siteIncidents({ organizationId }: Principal, site: Site, since: number): Promise<Incident[]> {
  const rows = await db().uptimeIncident.findMany({
    where: {
      organizationId,
      monitorId: { in: site.monitors.map(({ id }) => id) },
      OR: [{ endedAt: null }, { endedAt: { gte: new Date(since) } }],
    },
    include: incidentRelations,
    orderBy: { startedAt: "desc" },
    take: MAX_EVENTS,
  });
  return rows.map(toIncident);
}

/** Alerts about the site's endpoints and monitors that were not resolved then, newest first. `since` is in Unix milliseconds. */
export async function siteAlerts({ organizationId }: Principal, site: Site, since: number): Promise<Alert[]> {
  const rows = await db().alert.findMany({
    where: {
      organizationId,
      subjectId: { in: [...site.endpoints, ...site.monitors].map(({ id }) => id) },
      OR: [{ resolvedAt: null }, { resolvedAt: { gte: new Date(since) } }],
    },
    orderBy: { id: "desc" },
    take: MAX_EVENTS,
  });
  return rows.map(toAlert);
}

/**
 * Certificates for the host, or for a wildcard that covers it, in certificate transparency: issued since then, newest first.
 * Empty if the organization discovers no domain of the host. `since` is in Unix milliseconds.
 */
export async function siteIssuances({ organizationId }: Principal, host: string, since: number): Promise<Issuance[]> {
  const labels = host.split(".");
  const rows = await db().issuance.findMany({
    where: {
      organizationId,
      domain: { name: { in: labels.map((_, at) => labels.slice(at).join(".")) } },
      notBefore: { gte: new Date(since) },
      names: { hasSome: [host, `*.${labels.slice(1).join(".")}`] },
    },
    include: issuanceRelations,
    orderBy: [{ notBefore: "desc" }, { id: "desc" }],
    take: MAX_EVENTS,
  });
  return rows.map((row) => toIssuance(row));
}
