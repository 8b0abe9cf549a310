import type { Metadata } from "next";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { AddEndpoint } from "@/components/certificates/endpoints/add-endpoint";
import { endpointColumns } from "@/components/certificates/endpoints/endpoint-columns";
import { EndpointFilters } from "@/components/certificates/endpoints/endpoint-filters";
import { EndpointHeads } from "@/components/certificates/endpoints/endpoint-heads";
import { EndpointsList } from "@/components/certificates/endpoints/endpoints-list";
import { USUAL_SORT } from "@/components/certificates/endpoints/read-more-endpoints";
import { statusTone } from "@/components/certificates/findings/finding-tones";
import { filtersIn } from "@/components/layout/href-with";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { StatusFigures } from "@/components/layout/status-figures";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { ChooseColumns } from "@/components/table/choose-columns";
import { columnsCookie } from "@/components/table/columns";
import { readColumns } from "@/components/table/read-columns";
import { withOrder } from "@/components/table/read-order";
import { sortCookie, sortingOf } from "@/components/table/sort";
import { LinkButton } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";
import { PageHeader } from "@/components/ui/page-header";
import { endpointNotifyingRules } from "@/lib/alerts/coverage/notifying-rules";
import { requirePrincipal } from "@/lib/auth/session";
import { listCertificateEndpoints as contract } from "@/lib/certificates/contract";
import { byUrgency } from "@/lib/certificates/endpoint-statuses";
import { listCertificateEndpoints } from "@/lib/certificates/endpoints/list-endpoints";
import { summarizeEndpoints } from "@/lib/certificates/endpoints/summarize-endpoints";
import { endpointStatusLabels } from "@/lib/certificates/finding-labels";

export const metadata: Metadata = { title: "Certificates" };

const PATH = "/certificates";

export default async function CertificatesPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await withOrder(principal, "endpoints", await single(searchParams), contract.query);
  const [summary, { page, fault }] = await Promise.all([
    summarizeEndpoints(principal),
    readList(contract.query, { limit: "100", sort: USUAL_SORT, ...params }, (query) =>
      listCertificateEndpoints(principal, query),
    ),
  ]);
  const columns = await readColumns(principal, "endpoints", endpointColumns);
  const id = `${principal.organizationId} ${new URLSearchParams(params)}`;
  const reason = readOnlyReason(principal.permission);
  const exported = `/api/v1/certificates/endpoints/export?${new URLSearchParams({ ...filtersIn(params), format: "csv" })}`;
  const actions = (
    <>
      {summary.total > 0 && page !== null && <DownloadLink href={exported}>Export CSV</DownloadLink>}
      {summary.total > 0 && (
        <ChooseColumns cookie={columnsCookie("endpoints", principal)} columns={endpointColumns} shown={columns} />
      )}
      <LinkButton href="/certificates/import">Import</LinkButton>
      <AddEndpoint reason={reason} />
    </>
  );
  if (summary.total === 0) {
    return (
      <>
        {/* In the same position as below, so that its dialog stays open when the first endpoint is added. */}
        <PageHeader title="Certificates" actions={actions} />
        <CertificatePages here="/certificates" flush />
        <EmptyState title="No endpoints yet">
          Add a host, and Sealwatch checks the certificate that it serves: whether it is valid, complete and trusted,
          and when it expires. The check repeats regularly.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Certificates" actions={actions} />
      <CertificatePages here="/certificates" />
      <StatusFigures
        path={PATH}
        noun="endpoint"
        byStatus={summary.byStatus}
        order={byUrgency}
        labels={endpointStatusLabels}
        tones={{ ...statusTone, ok: undefined }}
        params={params}
      />
      <EndpointFilters chosen={params} tags={summary.tags} owners={summary.owners} />
      {fault !== null ? (
        <InvalidView path={PATH} words={fault} />
      ) : page.items.length > 0 ? (
        <EndpointsList
          key={id}
          id={id}
          head={
            <EndpointHeads
              selectable={reason === null}
              sorting={sortingOf(PATH, params, USUAL_SORT, sortCookie("endpoints", principal))}
              columns={columns}
              hasChannels
            />
          }
          first={{ items: page.items, next: page.nextCursor }}
          params={params}
          rules={await endpointNotifyingRules(principal)}
          mayAct={reason === null}
          columns={columns}
          now={Date.now()}
        />
      ) : params.cursor !== undefined ? (
        <EmptyPage />
      ) : (
        <EmptyState title="No matching endpoints" action={<LinkButton href={PATH}>Clear filters</LinkButton>}>
          No endpoint matches the state and filters.
        </EmptyState>
      )}
      {page !== null && <Pages path={PATH} params={params} next={null} />}
    </>
  );
}
