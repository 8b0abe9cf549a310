import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import type { StatusSite } from "@/lib/status-pages/contract";

/** Which of the monitors and endpoints that sites show still exist. */
export async function readSiteTargets({ organizationId }: Principal, sites: readonly StatusSite[]) {
  const [monitors, endpoints] = await Promise.all([
    db().uptimeMonitor.findMany({
      where: { organizationId, id: { in: sites.flatMap(({ monitor_id }) => monitor_id ?? []) } },
      select: { id: true, name: true },
    }),
    db().certificateEndpoint.findMany({
      where: { organizationId, id: { in: sites.flatMap(({ endpoint_id }) => endpoint_id ?? []) } },
      select: { id: true, host: true, port: true },
    }),
  ]);
  return { monitors, endpoints };
}
