import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";
import { ALSO_SERVED } from "@/lib/certificates/inventory/also-served";
import { db, pool } from "@/lib/db/app";
import type { StatusPage as Row } from "@/lib/db/generated/app/client";
import { type Principal, systemPrincipal } from "@/lib/http/principal";
import type { StatusSite } from "@/lib/status-pages/contract";
import { type SiteState, siteState } from "@/lib/status-pages/public/site-state";
import { sitesOf } from "@/lib/status-pages/status-page";
import { DAY_MS } from "@/lib/time/units";
import { readUptimeDays, type UptimeDay } from "@/lib/uptime/checks/days";
import { isWithin } from "@/lib/uptime/checks/state";
import type { MonitorStatus } from "@/lib/uptime/contract";

const DAYS_SHOWN = 90;
/** Maximum number of maintenance windows to read. */
const MAX_WINDOWS = 1_000;

/** What the public sees of a site: nothing but this is known to the code that renders pages and badges. */
export interface PublicSite {
  slug: string;
  label: string;
  state: SiteState;
  /** When the site went down, in Unix milliseconds; null if it is not down. */
  since: number | null;
  /** The last 90 UTC days, oldest first; null without a monitor. */
  days: UptimeDay[] | null;
  /** Whole days until the certificate expires, of several the first; negative once it has, null without a certificate. */
  daysLeft: number | null;
}

export interface PublicStatus {
  title: string;
  sites: PublicSite[];
  /** When it was read, in Unix milliseconds. */
  at: number;
}

/** What the public sees of a page at this time. Sites whose monitor and endpoint were deleted are left out. */
export async function readPublicStatus(page: Pick<Row, "organizationId" | "title" | "sites">): Promise<PublicStatus> {
  const now = Date.now();
  const sites = sitesOf(page);
  const principal: Principal = { ...systemPrincipal(page.organizationId, "Status page"), permission: "read" };
  const monitorIds = sites.flatMap(({ monitor_id }) => monitor_id ?? []);
  const [monitors, endpoints, days] = await Promise.all([
    readMonitors(principal, monitorIds, now),
    readEndpoints(principal, sites),
    monitorIds.length === 0 ? new Map<string, UptimeDay[]>() : readUptimeDays(principal, monitorIds, DAYS_SHOWN),
  ]);
  const shown = sites.flatMap(({ slug, label, monitor_id, endpoint_id }): PublicSite[] => {
    const monitor = monitors.get(monitor_id ?? "") ?? null;
    const endpoint = endpoints.get(endpoint_id ?? "") ?? null;
    if (monitor === null && endpoint === null) return [];
    const state = siteState(monitor, endpoint?.status ?? null);
    // While the monitor is paused, or not checked yet, the endpoint decides.
    const since = state === "down" ? (monitor?.downSince ?? endpoint?.downSince) : null;
    return [
      {
        slug,
        label,
        state,
        since: since?.getTime() ?? null,
        days: monitor === null ? null : (days.get(monitor_id ?? "") ?? null),
        daysLeft: endpoint?.notAfter ? Math.floor((endpoint.notAfter.getTime() - now) / DAY_MS) : null,
      },
    ];
  });
  return { title: page.title, sites: shown, at: now };
}

async function readMonitors({ organizationId }: Principal, ids: string[], now: number) {
  const [rows, windows] = await Promise.all([
    db().uptimeMonitor.findMany({
      where: { organizationId, id: { in: ids } },
      select: {
        id: true,
        status: true,
        pausedAt: true,
        incidents: { where: { endedAt: null }, select: { startedAt: true }, take: 1 },
      },
    }),
    db().maintenanceWindow.findMany({
      where: {
        organizationId,
        startsAt: { lte: new Date(now) },
        AND: [
          { OR: [{ repeat: { not: "none" } }, { endsAt: { gt: new Date(now) } }] },
          { OR: [{ monitorIds: { isEmpty: true } }, { monitorIds: { hasSome: ids } }] },
        ],
      },
      orderBy: { id: "desc" },
      take: MAX_WINDOWS,
    }),
  ]);
  const current = windows.filter((window) => isWithin(window, now));
  return new Map(
    rows.map(({ id, status, pausedAt, incidents }) => [
      id,
      {
        status: pausedAt === null ? (status as MonitorStatus) : "paused",
        inMaintenance: current.some(({ monitorIds }) => monitorIds.length === 0 || monitorIds.includes(id)),
        downSince: incidents[0]?.startedAt ?? null,
      },
    ]),
  );
}

interface Endpoint {
  id: string;
  status: EndpointStatus;
  downSince: Date | null;
  /** When the first of the certificates that clients get expires. */
  notAfter: Date | null;
}

async function readEndpoints({ organizationId }: Principal, sites: readonly StatusSite[]) {
  const { rows } = await pool().query<Endpoint>(
    `SELECT e.id, e.status, e.reachability_since AS "downSince", least(
         (SELECT c.not_after FROM certificates c WHERE c.organization_id = e.organization_id AND c.id = e.certificate_id),
         also.not_after) AS "notAfter"
     FROM certificate_endpoints e LEFT JOIN (
       SELECT e.id, min(c.not_after) AS not_after FROM certificate_endpoints e ${ALSO_SERVED}
       JOIN certificates c ON c.organization_id = s.organization_id AND c.id = s.certificate_id
       WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[]) GROUP BY e.id
     ) AS also USING (id)
     WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[])`,
    [organizationId, sites.flatMap(({ endpoint_id }) => endpoint_id ?? [])],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
