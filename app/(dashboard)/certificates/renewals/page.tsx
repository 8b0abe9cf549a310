import type { Metadata } from "next";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { RenewalDays } from "@/components/certificates/renewals/renewal-days";
import { RenewalOwners } from "@/components/certificates/renewals/renewal-owners";
import { RENEWALS, USUAL_DAYS } from "@/components/certificates/renewals/renewal-view";
import { RenewalsTable } from "@/components/certificates/renewals/renewals-table";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { Section } from "@/components/states/section";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listRenewals } from "@/lib/certificates/renewals/list-renewals";
import { listRenewals as contract } from "@/lib/certificates/renewals/renewal-contract";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Renewals" };

export default async function RenewalsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const { page, fault } = await readList(contract.query, { limit: "100", ...params }, (query) =>
    listRenewals(principal, query),
  );
  const days = page === null ? USUAL_DAYS : Number(params.days ?? USUAL_DAYS);
  const which = params.owner !== undefined ? "of this owner" : params.owned !== undefined ? "in this view" : "in use";
  return (
    <>
      <PageHeader title="Certificates" actions={<LinkButton href="/certificates/calendars">Calendars</LinkButton>} />
      <CertificatePages here={RENEWALS} />
      <RenewalDays days={days} params={params} />
      <Section what="The owners" of={String(days)} fallback={<div className="h-[30px]" />}>
        <RenewalOwners principal={principal} days={days} params={params} />
      </Section>
      {fault !== null ? (
        <InvalidView path={RENEWALS} words={fault} />
      ) : page.items.length > 0 ? (
        <RenewalsTable renewals={page.items} now={Date.now()} />
      ) : params.cursor !== undefined ? (
        <EmptyPage />
      ) : (
        <EmptyState
          title="Nothing to renew"
          action={which !== "in use" && <LinkButton href={RENEWALS}>Clear filters</LinkButton>}
        >
          No certificate {which} has less than a third of its lifetime left within the next {plural(days, "day")}. Set
          the owner on each endpoint.
        </EmptyState>
      )}
      {page !== null && <Pages path={RENEWALS} params={params} next={page.nextCursor} />}
    </>
  );
}
