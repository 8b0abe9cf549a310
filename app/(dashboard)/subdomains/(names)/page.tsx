import type { Metadata } from "next";
import { Misfit, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { AddDomain } from "@/components/subdomains/add-domain";
import { type Choice, ListFilters } from "@/components/subdomains/list-filters";
import { Review } from "@/components/subdomains/review";
import { SubdomainPages } from "@/components/subdomains/subdomain-pages";
import { sourceWords, stateWords } from "@/components/subdomains/words";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listSubdomains as contract } from "@/lib/subdomains/contract";
import { listDomains } from "@/lib/subdomains/list-domains";
import { listSubdomains } from "@/lib/subdomains/list-subdomains";

export const metadata: Metadata = { title: "Subdomains" };

const PATH = "/subdomains";
const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

/** What is yet to be reviewed, unless the address asks for something else. */
export default async function SubdomainsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const { state = "new", ...others } = params;
  const asked = { limit: "100", ...others, ...(state !== "all" && { state }) };
  const [{ items: domains }, { page, fault }] = await Promise.all([
    listDomains(principal, { limit: 200, cursor: undefined }),
    readList(contract.query, asked, (query) => listSubdomains(principal, query)),
  ]);
  const reason = readOnlyReason(principal.permission);
  const choices: Choice[] = [
    {
      name: "state",
      label: "To review",
      options: [...options(stateWords).slice(1), { value: "all", label: "All names" }],
    },
    { name: "domain_id", label: "Any domain", options: domains.map(({ id, name }) => ({ value: id, label: name })) },
    { name: "source", label: "Any source", options: options(sourceWords) },
    {
      name: "wildcard",
      label: "Wildcards or not",
      options: [
        { value: "true", label: "Wildcards" },
        { value: "false", label: "No wildcards" },
      ],
    },
    {
      name: "expired_only",
      label: "Expired or not",
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
        <EmptyState title="No domain has been added">
          Add a domain and prove by a TXT record that it is yours. Then certificate transparency and DNS are asked for
          its names, and those that nobody watches stand here for review.
        </EmptyState>
      ) : (
        <>
          <ListFilters path={PATH} params={params} choices={choices} search />
          {fault !== null ? (
            <Misfit path={PATH} words={fault} />
          ) : page.items.length > 0 ? (
            <Review names={page.items} reason={reason} />
          ) : (
            <NothingHere params={params} isAnyProven={domains.some(({ proof }) => proof.proven_at !== null)} />
          )}
          {page !== null && <Pages path={PATH} params={params} next={page.nextCursor} />}
        </>
      )}
    </>
  );
}

function NothingHere({ params, isAnyProven }: { params: Record<string, string>; isAnyProven: boolean }) {
  if (Object.keys(params).length > 0) {
    return (
      <EmptyState title="None fits" action={<LinkButton href={PATH}>Show what is to review</LinkButton>}>
        No name that was found fits these filters.
      </EmptyState>
    );
  }
  if (!isAnyProven) {
    return (
      <EmptyState title="No domain is proven yet" action={<LinkButton href="/subdomains/domains">Domains</LinkButton>}>
        Each domain's page says which TXT record proves that it is yours. Nothing is looked for before that.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing to review"
      action={<LinkButton href="/subdomains/domains">See how the sources do</LinkButton>}
    >
      Every name that was found is monitored or ignored. New ones stand here when a source tells of them.
    </EmptyState>
  );
}
