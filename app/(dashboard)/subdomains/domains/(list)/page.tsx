import type { Metadata } from "next";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { AddDomain } from "@/components/subdomains/add-domain";
import { DomainsTable } from "@/components/subdomains/domains-table";
import { SubdomainPages } from "@/components/subdomains/subdomain-pages";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listDomains as contract } from "@/lib/subdomains/domain-contract";
import { listDomains } from "@/lib/subdomains/list-domains";

export const metadata: Metadata = { title: "Domains" };

const PATH = "/subdomains/domains";

export default async function DomainsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const { page, fault } = await readList(contract.query, { limit: "100", ...params }, (query) =>
    listDomains(principal, query),
  );
  return (
    <>
      <PageHeader title="Subdomains" actions={<AddDomain reason={readOnlyReason(principal.permission)} />} />
      <SubdomainPages here={PATH} flush={fault === null} />
      {fault !== null ? (
        <InvalidView path={PATH} words={fault} />
      ) : page.items.length > 0 ? (
        <DomainsTable domains={page.items} />
      ) : params.cursor !== undefined ? (
        <EmptyPage />
      ) : (
        <EmptyState title="No domains yet">
          Add a domain and verify with a TXT record that you own it. Sealwatch then searches certificate transparency
          logs and DNS for its subdomains.
        </EmptyState>
      )}
      {page !== null && <Pages path={PATH} params={params} next={page.nextCursor} />}
    </>
  );
}
