import type { Metadata } from "next";
import { z } from "zod";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { CertificatesTable } from "@/components/certificates/inventory/certificates-table";
import { ClientAuthNote } from "@/components/certificates/inventory/client-auth-note";
import { InventoryFilters } from "@/components/certificates/inventory/inventory-filters";
import { filtersOf, inventoryHref } from "@/components/certificates/inventory/inventory-view";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { LinkButton } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { certificateFilters } from "@/lib/certificates/contract";
import { listCertificates } from "@/lib/certificates/inventory/list-certificates";

export const metadata: Metadata = { title: "Inventory" };

const PAGE = 100;
const filterSchema = z.strictObject(certificateFilters);

export default async function InventoryPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const filters = filtersOf(params);
  const parsed = filterSchema.safeParse(filters);
  const sort = params.sort === "discovered" ? "discovered" : "expiry";
  const exported = (format: "csv" | "json") =>
    `/api/v1/certificates/export?${new URLSearchParams({ ...filters, format })}`;
  const { items, nextCursor } = parsed.success
    ? await listCertificates(principal, { ...parsed.data, sort, limit: PAGE, cursor: params.cursor })
    : { items: [], nextCursor: null };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHeader
        title="Certificates"
        actions={
          parsed.success && (
            <>
              <DownloadLink href={exported("csv")}>CSV</DownloadLink>
              <DownloadLink href={exported("json")}>JSON</DownloadLink>
            </>
          )
        }
      />
      <CertificatePages here="/certificates/inventory" />
      <InventoryFilters params={filters} sort={sort} />
      {filters.usage === "client_auth" && <ClientAuthNote />}
      {!parsed.success ? (
        <div className="px-4 sm:px-5">
          <Note tone="bad">
            {parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")}.
          </Note>
        </div>
      ) : items.length > 0 ? (
        <CertificatesTable certificates={items} now={Date.now()} />
      ) : (
        <EmptyState
          title={isFiltered ? "No matching certificates" : "No certificates yet"}
          action={isFiltered && <LinkButton href="/certificates/inventory">Clear filters</LinkButton>}
        >
          {isFiltered
            ? "No certificate of this organization matches these filters."
            : "The inventory lists every certificate that your endpoints served, one row each."}
        </EmptyState>
      )}
      {(nextCursor !== null || params.cursor !== undefined) && (
        <nav aria-label="Pages" className="flex justify-between gap-2 px-4 pt-3 sm:px-5">
          {params.cursor !== undefined ? (
            <LinkButton href={inventoryHref({ ...filters, sort })}>First page</LinkButton>
          ) : (
            <span />
          )}
          {nextCursor !== null && (
            <LinkButton href={inventoryHref({ ...filters, sort, cursor: nextCursor })}>Next page</LinkButton>
          )}
        </nav>
      )}
    </>
  );
}
