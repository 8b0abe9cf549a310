import type { Metadata } from "next";
import { z } from "zod";
import { AddEndpoint } from "@/components/certificates/add-endpoint";
import { boardHref } from "@/components/certificates/board-href";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { EndpointFilters } from "@/components/certificates/endpoint-filters";
import { EndpointsTable } from "@/components/certificates/endpoints-table";
import { StatusFigures } from "@/components/certificates/status-figures";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { LinkButton } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { endpointFilters } from "@/lib/certificates/contract";
import { listCertificateEndpoints } from "@/lib/certificates/list-endpoints";
import { summarizeEndpoints } from "@/lib/certificates/summarize-endpoints";

export const metadata: Metadata = { title: "Certificates" };

const PAGE = 100;

export default async function CertificatesPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const { cursor, ...chosen } = await single(searchParams);
  const filters = z.object(endpointFilters).safeParse(chosen);
  const [summary, { items, nextCursor }] = await Promise.all([
    summarizeEndpoints(principal),
    filters.success
      ? listCertificateEndpoints(principal, { ...filters.data, sort: "urgency", limit: PAGE, cursor })
      : { items: [], nextCursor: null },
  ]);
  const reason = readOnlyReason(principal.permission);
  const actions = (
    <>
      {summary.total > 0 && <DownloadLink href="/api/v1/certificates/endpoints/export?format=csv">CSV</DownloadLink>}
      <LinkButton href="/certificates/import">Import</LinkButton>
      <AddEndpoint reason={reason} />
    </>
  );
  if (summary.total === 0) {
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
      <StatusFigures summary={summary} chosen={chosen.status} />
      <EndpointFilters chosen={chosen} tags={summary.tags} />
      {items.length > 0 ? (
        <EndpointsTable endpoints={items} now={Date.now()} />
      ) : (
        <EmptyState title="None fits" action={<LinkButton href="/certificates">Show all</LinkButton>}>
          No endpoint is in the state, or has what else this page was asked for.
        </EmptyState>
      )}
      {(nextCursor !== null || cursor !== undefined) && (
        <nav aria-label="Pages" className="flex justify-between gap-2 px-4 pt-3 sm:px-5">
          {cursor !== undefined ? <LinkButton href={boardHref(chosen)}>First page</LinkButton> : <span />}
          {nextCursor !== null && (
            <LinkButton href={boardHref({ ...chosen, cursor: nextCursor })}>Next page</LinkButton>
          )}
        </nav>
      )}
    </>
  );
}
