import type { Metadata } from "next";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { certificateColumns } from "@/components/certificates/inventory/certificate-columns";
import { CertificateHeads } from "@/components/certificates/inventory/certificate-heads";
import { CertificatesTable } from "@/components/certificates/inventory/certificates-table";
import { ClientAuthNote } from "@/components/certificates/inventory/client-auth-note";
import { InventoryFilters } from "@/components/certificates/inventory/inventory-filters";
import { filtersOf, INVENTORY, USUAL_SORT, viewOf } from "@/components/certificates/inventory/inventory-view";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { ChooseColumns } from "@/components/table/choose-columns";
import { columnsCookie } from "@/components/table/columns";
import { readColumns } from "@/components/table/read-columns";
import { withOrder } from "@/components/table/read-order";
import { sortCookie, sortingOf } from "@/components/table/sort";
import { LinkButton } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listCertificates as contract } from "@/lib/certificates/contract";
import { listCertificates } from "@/lib/certificates/inventory/list-certificates";

export const metadata: Metadata = { title: "Inventory" };

export default async function InventoryPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const view = await withOrder(principal, "certificates", viewOf(await single(searchParams)), contract.query);
  const filters = filtersOf(view);
  const exported = (format: "csv" | "json") =>
    `/api/v1/certificates/export?${new URLSearchParams({ ...filters, format })}`;
  const { page, fault } = await readList(contract.query, { limit: "100", sort: USUAL_SORT, ...view }, (query) =>
    listCertificates(principal, query),
  );
  const columns = await readColumns(principal, "certificates", certificateColumns);
  const id = `${principal.organizationId} ${new URLSearchParams(view)}`;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHeader
        title="Certificates"
        actions={
          page !== null && (
            <>
              {page.items.length > 0 && (
                <ChooseColumns
                  cookie={columnsCookie("certificates", principal)}
                  columns={certificateColumns}
                  shown={columns}
                />
              )}
              <DownloadLink href={exported("csv")}>Export CSV</DownloadLink>
              <DownloadLink href={exported("json")}>Export JSON</DownloadLink>
            </>
          )
        }
      />
      <CertificatePages here={INVENTORY} />
      <InventoryFilters view={view} />
      {filters.usage === "client_auth" && <ClientAuthNote />}
      {fault !== null ? (
        <InvalidView path={INVENTORY} words={fault} />
      ) : page.items.length > 0 ? (
        <CertificatesTable
          key={id}
          id={id}
          head={
            <CertificateHeads
              sorting={sortingOf(INVENTORY, view, USUAL_SORT, sortCookie("certificates", principal))}
              columns={columns}
            />
          }
          first={{ items: page.items, next: page.nextCursor }}
          view={view}
          columns={columns}
          now={Date.now()}
        />
      ) : view.cursor !== undefined ? (
        <EmptyPage />
      ) : (
        <EmptyState
          title={isFiltered ? "No matching certificates" : "No certificates yet"}
          action={isFiltered && <LinkButton href={INVENTORY}>Clear filters</LinkButton>}
        >
          {isFiltered
            ? "No certificate of this organization matches these filters."
            : "The inventory lists every certificate that your endpoints served, one row each."}
        </EmptyState>
      )}
      {page !== null && <Pages path={INVENTORY} params={view} next={null} />}
    </>
  );
}
