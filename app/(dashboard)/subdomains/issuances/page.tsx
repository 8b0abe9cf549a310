import type { Metadata } from "next";
import { filtersIn } from "@/components/layout/href-with";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { AddDomain } from "@/components/subdomains/add-domain";
import { IssuancesTable } from "@/components/subdomains/issuances-table";
import { ListFilters } from "@/components/subdomains/list-filters";
import { SubdomainPages } from "@/components/subdomains/subdomain-pages";
import type { FilterChoice } from "@/components/table/filter-selects";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listIssuances as contract } from "@/lib/subdomains/contract";
import { listDomainChoices } from "@/lib/subdomains/list-domains";
import { listIssuances } from "@/lib/subdomains/list-issuances";

export const metadata: Metadata = { title: "Issued certificates" };

const PATH = "/subdomains/issuances";

export default async function IssuancesPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const [domains, { page, fault }] = await Promise.all([
    listDomainChoices(principal),
    readList(contract.query, { limit: "100", ...params }, (query) => listIssuances(principal, query)),
  ]);
  const choices: FilterChoice[] = [
    {
      name: "unexpected",
      label: "Issuer",
      any: "Any issuer",
      options: [
        { value: "true", label: "Unexpected issuers" },
        { value: "false", label: "Expected issuers" },
      ],
    },
    {
      name: "accounted",
      label: "Authorization",
      any: "Authorized or not",
      options: [
        { value: "false", label: "Not authorized" },
        { value: "true", label: "Authorized" },
      ],
    },
    {
      name: "current",
      label: "Expiry",
      any: "Expired or not",
      options: [
        { value: "true", label: "Not expired" },
        { value: "false", label: "Expired" },
      ],
    },
    {
      name: "domain_id",
      label: "Domain",
      any: "Any domain",
      options: domains.map(({ id, name }) => ({ value: id, label: name })),
    },
  ];
  const isFiltered = Object.keys(filtersIn(params)).length > 0;
  return (
    <>
      <PageHeader title="Subdomains" actions={<AddDomain reason={readOnlyReason(principal.permission)} />} />
      <SubdomainPages here={PATH} />
      <ListFilters path={PATH} params={params} choices={choices} />
      {fault !== null ? (
        <InvalidView path={PATH} words={fault} />
      ) : page.items.length > 0 ? (
        <IssuancesTable issuances={page.items} reason={readOnlyReason(principal.permission)} now={Date.now()} />
      ) : params.cursor !== undefined ? (
        <EmptyPage />
      ) : (
        <EmptyState
          title={isFiltered ? "No matching certificates" : "No issued certificates yet"}
          action={isFiltered && <LinkButton href={PATH}>Clear filters</LinkButton>}
        >
          {isFiltered
            ? "No issued certificate matches these filters."
            : "This page lists every certificate for your verified domains that appears in certificate transparency logs. You are alerted about unauthorized certificates, and about issuers that a domain does not expect."}
        </EmptyState>
      )}
      {page !== null && <Pages path={PATH} params={params} next={page.nextCursor} />}
    </>
  );
}
