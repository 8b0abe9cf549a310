import type { Metadata } from "next";
import { filtersIn } from "@/components/layout/href-with";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { AddDomain } from "@/components/subdomains/add-domain";
import { ListFilters } from "@/components/subdomains/list-filters";
import { NameHeads } from "@/components/subdomains/name-heads";
import { Review } from "@/components/subdomains/review";
import { SubdomainPages } from "@/components/subdomains/subdomain-pages";
import type { FilterChoice } from "@/components/table/filter-selects";
import { withOrder } from "@/components/table/read-order";
import { sortCookie, sortingOf } from "@/components/table/sort";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listSubdomains as contract } from "@/lib/subdomains/contract";
import { sourceLabels, subdomainStateLabels } from "@/lib/subdomains/labels";
import { listDomainChoices } from "@/lib/subdomains/list-domains";
import { listSubdomains } from "@/lib/subdomains/list-subdomains";

export const metadata: Metadata = { title: "Subdomains" };

const PATH = "/subdomains";
const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

/** The names to review, unless the URL has another filter. */
export default async function SubdomainsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const asked = await single(searchParams);
  const params = await withOrder(principal, "subdomains", asked, contract.query);
  const { state = "new", ...others } = params;
  const filters = { limit: "100", ...others, ...(state !== "all" && { state }) };
  const [domains, { page, fault }] = await Promise.all([
    listDomainChoices(principal),
    readList(contract.query, filters, (query) => listSubdomains(principal, query)),
  ]);
  const isFiltered = Object.keys(filtersIn(params)).length > 0;
  const reason = readOnlyReason(principal.permission);
  const choices: FilterChoice[] = [
    {
      name: "state",
      label: "State",
      any: "New",
      options: [...options(subdomainStateLabels).slice(1), { value: "all", label: "All names" }],
    },
    {
      name: "domain_id",
      label: "Domain",
      any: "Any domain",
      options: domains.map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: "source", label: "Source", any: "Any source", options: options(sourceLabels) },
    {
      name: "wildcard",
      label: "Wildcard",
      any: "Wildcard or not",
      options: [
        { value: "true", label: "Wildcards" },
        { value: "false", label: "No wildcards" },
      ],
    },
    {
      name: "expired_only",
      label: "Expiry",
      any: "Expired or not",
      options: [
        { value: "true", label: "Expired only" },
        { value: "false", label: "Not expired" },
      ],
    },
  ];
  return (
    <>
      <PageHeader title="Subdomains" actions={<AddDomain reason={reason} />} />
      <SubdomainPages here={PATH} flush={domains.length === 0} />
      {domains.length === 0 ? (
        <EmptyState title="No domains yet">
          Add a domain and verify with a TXT record that you own it. Sealwatch then searches certificate transparency
          logs and DNS for its subdomains, and lists the unmonitored ones here for review.
        </EmptyState>
      ) : (
        <>
          <ListFilters path={PATH} params={params} choices={choices} search />
          {fault !== null ? (
            <InvalidView path={PATH} words={fault} />
          ) : page.items.length > 0 ? (
            <Review
              names={page.items}
              head={<NameHeads sorting={sortingOf(PATH, params, "newest", sortCookie("subdomains", principal))} />}
              reason={reason}
            />
          ) : params.cursor !== undefined ? (
            <EmptyPage />
          ) : (
            <NothingHere isFiltered={isFiltered} isAnyProven={domains.some(({ provenAt }) => provenAt !== null)} />
          )}
          {page !== null && <Pages path={PATH} params={params} next={page.nextCursor} />}
        </>
      )}
    </>
  );
}

function NothingHere({ isFiltered, isAnyProven }: { isFiltered: boolean; isAnyProven: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No matching names" action={<LinkButton href={PATH}>Show names to review</LinkButton>}>
        No name matches these filters.
      </EmptyState>
    );
  }
  if (!isAnyProven) {
    return (
      <EmptyState
        title="No verified domains yet"
        action={<LinkButton href="/subdomains/domains">View domains</LinkButton>}
      >
        Each domain's page shows the TXT record that verifies it. Discovery starts after that.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing to review" action={<LinkButton href="/subdomains/domains">View domains</LinkButton>}>
      Every name found is monitored or ignored. New names appear here when a source finds them.
    </EmptyState>
  );
}
