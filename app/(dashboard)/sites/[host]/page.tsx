import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { HostName } from "@/components/sites/host-name";
import { axisUntil } from "@/components/sites/lane";
import { SiteAddresses } from "@/components/sites/site-addresses";
import { SiteAxis } from "@/components/sites/site-axis";
import { SiteCertificate } from "@/components/sites/site-certificate";
import { SiteUptime } from "@/components/sites/site-uptime";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { Sections } from "@/components/states/section";
import { AddStatusPage } from "@/components/status-pages/add-status-page";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import type { Principal } from "@/lib/http/principal";
import { findSite, type Site } from "@/lib/sites/find-site";
import { hostOfPath } from "@/lib/sites/host-of-target";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Site" };

export default async function SitePage({ params }: { params: Promise<{ host: string }> }) {
  const principal = await requirePrincipal();
  const host = hostOfPath((await params).host);
  if (host === null) notFound();
  const site = await findSite(principal, host);
  const axis = axisUntil(Date.now());
  return (
    <>
      <PageHeader
        title={
          <span className="font-mono text-lg">
            <HostName name={host} />
          </span>
        }
        actions={site !== null && <ShowPublicly principal={principal} site={site} />}
      >
        {site !== null && <Known site={site} />}
      </PageHeader>
      {site === null ? (
        <EmptyState title="Nothing is known about this host">
          No endpoint, monitor or discovered name of this organization has this host.
        </EmptyState>
      ) : (
        <>
          <SiteAxis principal={principal} site={site} axis={axis} />
          <Sections
            parts={[
              ...site.endpoints.map(({ id }) => ({
                what: "The certificate",
                part: <SiteCertificate principal={principal} id={id} now={axis.until} />,
              })),
              ...site.monitors.map((monitor) => ({
                what: "The uptime",
                part: <SiteUptime principal={principal} monitor={monitor} axis={axis} />,
              })),
              { what: "The addresses", part: <SiteAddresses site={site} /> },
            ]}
          />
        </>
      )}
    </>
  );
}

/** Begins a status page with the site. Nothing for a host that is not checked. */
function ShowPublicly({ principal, site: { monitors, endpoints } }: { principal: Principal; site: Site }) {
  const monitor = monitors.find(({ type }) => type === "http") ?? monitors[0];
  const endpoint = endpoints.find(({ port }) => port === 443) ?? endpoints[0];
  const shown = { monitor_id: monitor?.id ?? null, endpoint_id: endpoint?.id ?? null };
  if (shown.monitor_id === null && shown.endpoint_id === null) return null;
  const { organizationId, permission } = principal;
  return <AddStatusPage organizationId={organizationId} site={shown} reason={readOnlyReason(permission)} />;
}

/** What the page is about. */
function Known({ site: { endpoints, monitors, name } }: { site: Site }) {
  return (
    <>
      {plural(endpoints.length, "certificate endpoint")}, {plural(monitors.length, "monitor")}
      {name !== null && (
        <>
          {" · discovered as a name of "}
          <Link href={`/subdomains/domains/${name.domain.id}`} className="text-seal underline underline-offset-2">
            {name.domain.name}
          </Link>
        </>
      )}
    </>
  );
}
