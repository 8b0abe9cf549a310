import { endpointChoices, type ListedSiteChoices, uniqueChoices } from "@/components/status-pages/site-fields";
import { listCertificateEndpoints } from "@/lib/certificates/endpoints/list-endpoints";
import type { Principal } from "@/lib/http/principal";
import type { StatusSite } from "@/lib/status-pages/contract";
import { readSiteTargets } from "@/lib/status-pages/site-targets";
import { listMonitors } from "@/lib/uptime/monitors/list-monitors";

const NEWEST = { limit: 200, cursor: undefined, sort: "newest" } as const;

/** What a site can show: the newest monitors and endpoints, and those that sites show already. */
export async function readSiteChoices(principal: Principal, sites: readonly StatusSite[]): Promise<ListedSiteChoices> {
  const [monitors, endpoints, chosen] = await Promise.all([
    listMonitors(principal, { ...NEWEST, status: undefined, tag: undefined }),
    listCertificateEndpoints(principal, NEWEST),
    readSiteTargets(principal, sites),
  ]);
  return {
    monitors: uniqueChoices([...chosen.monitors, ...monitors.items]),
    endpoints: uniqueChoices(endpointChoices([...chosen.endpoints, ...endpoints.items])),
    isCut: monitors.nextCursor !== null || endpoints.nextCursor !== null,
  };
}
