import type { Metadata } from "next";
import Link from "next/link";
import { Notifications } from "@/components/alert-rules/notifications";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { RefreshWhile } from "@/components/states/refresh-while";
import { RowsSkeleton, Section } from "@/components/states/section";
import { DomainActions } from "@/components/subdomains/domain-actions";
import { Proof } from "@/components/subdomains/proof";
import { SourcesTable } from "@/components/subdomains/sources-table";
import { Time } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { subdomainStates } from "@/lib/subdomains/contract";
import type { Domain } from "@/lib/subdomains/domain-contract";
import { getDomain } from "@/lib/subdomains/get-domain";
import { subdomainStateLabels } from "@/lib/subdomains/labels";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Domain" };

export default async function DomainPage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const domain = await orNotFound(params, (id) => getDomain(principal, { id }));
  const reason = readOnlyReason(principal.permission);
  const isProven = domain.proof.proven_at !== null;
  return (
    <>
      <PageHeader
        title={<span className="font-mono">{domain.name}</span>}
        back={{ href: "/subdomains/domains", label: "Domains" }}
        actions={<DomainActions domain={domain} reason={reason} />}
      >
        {isProven ? <Status tone="good">Verified</Status> : <Status tone="warn">Unverified</Status>}
      </PageHeader>
      {!isProven && <Proof domain={domain} reason={reason} />}
      <div className="grid gap-x-10 px-4 pb-6 sm:px-5 lg:grid-cols-2">
        <div>
          <Found domain={domain} />
        </div>
        <div className="max-lg:mt-3 max-lg:border-t max-lg:pt-3">
          <Settings domain={domain} />
        </div>
      </div>
      <section aria-labelledby="sources">
        <h2 id="sources" className="px-4 pb-2 font-medium text-lg sm:px-5">
          Sources
        </h2>
        <SourcesTable sources={domain.sources} />
        <RefreshWhile active={isUnderWay(domain)} />
      </section>
      <Section what="The notifications" fallback={<RowsSkeleton what="notifications" rows={3} />}>
        <Notifications principal={principal} type="domain" id={domain.id} />
      </Section>
      <ResourceHistory principal={principal} type="domain" id={domain.id} />
    </>
  );
}

/** Whether a source is running or about to run. */
function isUnderWay({ sources }: Domain): boolean {
  const soon = Date.now() + 1_000;
  return sources.some(
    ({ state, next_run_at }) => state === "running" || (next_run_at !== null && Date.parse(next_run_at) < soon),
  );
}

function Found({ domain: { id, names, unexpected_issuances } }: { domain: Domain }) {
  return (
    <DefinitionGroup title="Names found">
      {subdomainStates.map((state) => (
        <Definition key={state} name={subdomainStateLabels[state]}>
          <Link prefetch={false} href={`/subdomains?state=${state}&domain_id=${id}`} className="hover:underline">
            {plural(names[state], "name")}
          </Link>
        </Definition>
      ))}
      <Definition name="Unexpected">
        <Link
          prefetch={false}
          href={`/subdomains/issuances?unexpected=true&current=true&domain_id=${id}`}
          className={unexpected_issuances > 0 ? "text-warn hover:underline" : "hover:underline"}
        >
          {plural(unexpected_issuances, "certificate")} from unexpected issuers
        </Link>
      </Definition>
    </DefinitionGroup>
  );
}

function Settings({ domain: { interval_hours, expected_issuers, proof, created_at } }: { domain: Domain }) {
  return (
    <DefinitionGroup title="Settings">
      <Definition name="Discovery interval">{plural(interval_hours, "hour")}</Definition>
      <Definition name="Expected issuers">
        {expected_issuers.length > 0 ? expected_issuers.join(", ") : <span className="text-second">any</span>}
      </Definition>
      <Definition name="Verified">{proof.proven_at && <Time value={proof.proven_at} />}</Definition>
      <Definition name="Added">
        <Time value={created_at} />
      </Definition>
    </DefinitionGroup>
  );
}
