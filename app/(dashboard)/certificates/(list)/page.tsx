import type { Metadata } from "next";
import { AddEndpoint } from "@/components/certificates/add-endpoint";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { isChosen, tagsOf } from "@/components/certificates/choose-endpoints";
import { EndpointFilters } from "@/components/certificates/endpoint-filters";
import { EndpointsTable } from "@/components/certificates/endpoints-table";
import { readEndpoints } from "@/components/certificates/read-endpoints";
import { StatusFigures } from "@/components/certificates/status-figures";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { LinkButton } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Certificates" };

export default async function CertificatesPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const chosen = await single(searchParams);
  const { endpoints, isCut } = await readEndpoints(principal);
  const shown = endpoints.filter((endpoint) => isChosen(endpoint, chosen));
  const reason = readOnlyReason(principal.permission);
  const actions = (
    <>
      {endpoints.length > 0 && <DownloadLink href="/api/v1/certificates/endpoints/export?format=csv">CSV</DownloadLink>}
      <LinkButton href="/certificates/import">Import</LinkButton>
      <AddEndpoint reason={reason} />
    </>
  );
  if (endpoints.length === 0) {
    return (
      <>
        {/* In the same place as below: it stays open when the first endpoint turns one page into the other. */}
        <PageHeader title="Certificates" actions={actions} />
        <CertificatePages here="/certificates" flush />
        <EmptyState title="Nothing is watched yet">
          Name a host, and Sealwatch looks at the certificate it serves: whether it is valid, complete and trusted, and
          how much of its life is left. Then it keeps looking.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Certificates" actions={actions} />
      <CertificatePages here="/certificates" />
      <StatusFigures endpoints={endpoints} chosen={chosen.status} />
      <EndpointFilters chosen={chosen} tags={tagsOf(endpoints)} />
      {shown.length > 0 ? (
        <EndpointsTable endpoints={shown} now={Date.now()} />
      ) : (
        <EmptyState title="None fits" action={<LinkButton href="/certificates">Show all</LinkButton>}>
          No endpoint is in the state, or has what else this page was asked for.
        </EmptyState>
      )}
      {isCut && (
        <p className="px-4 pt-3 text-second sm:px-5">
          Only the {endpoints.length.toLocaleString("en-GB")} endpoints that were added last are shown. The API lists
          all of them.
        </p>
      )}
    </>
  );
}
