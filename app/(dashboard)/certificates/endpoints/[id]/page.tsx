import type { Metadata } from "next";
import Link from "next/link";
import { Notifications } from "@/components/alert-rules/notifications";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import { EndpointActions } from "@/components/certificates/endpoints/endpoint-actions";
import type { EditedEndpoint } from "@/components/certificates/endpoints/endpoint-fields";
import { EndpointHistory } from "@/components/certificates/endpoints/endpoint-history";
import { EndpointState } from "@/components/certificates/endpoints/endpoint-state";
import { ScanFacts } from "@/components/certificates/endpoints/scan-facts";
import { Findings } from "@/components/certificates/findings/findings";
import { WhatToInstall } from "@/components/certificates/findings/what-to-install";
import { Chain } from "@/components/certificates/inventory/chain";
import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { endpointName, shortName } from "@/components/certificates/inventory/names";
import { WindowFacts } from "@/components/certificates/inventory/window-facts";
import { RenewalFacts } from "@/components/certificates/renewals/renewal-facts";
import { HostName } from "@/components/sites/host-name";
import { SiteLink } from "@/components/sites/site-link";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { RowsSkeleton, Section } from "@/components/states/section";
import { Ago, Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { PageHeader } from "@/components/ui/page-header";
import { msWords } from "@/components/uptime/words";
import { requirePrincipal } from "@/lib/auth/session";
import type { Agent } from "@/lib/certificates/agents/agent-contract";
import { getAgent } from "@/lib/certificates/agents/get-agent";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";
import { getCertificateEndpoint } from "@/lib/certificates/endpoints/get-endpoint";

export const metadata: Metadata = { title: "Endpoint" };

export default async function EndpointPage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const endpoint = await orNotFound(params, (id) => getCertificateEndpoint(principal, { id }));
  const { findings, served_chain, agent_id } = endpoint;
  const agent = agent_id === null ? null : await getAgent(principal, { id: agent_id });
  const now = Date.now();
  return (
    <>
      <PageHeader
        back={{ href: "/certificates", label: "Certificates" }}
        title={
          <span className="font-mono text-lg">
            <HostName name={endpointName(endpoint)} />
          </span>
        }
        actions={<EndpointActions endpoint={editedOf(endpoint)} reason={readOnlyReason(principal.permission)} />}
      >
        <SiteLink host={endpoint.host} />
      </PageHeader>
      {findings.length > 0 && (
        <section className="px-4 pb-6 sm:px-5">
          <h2 className="sr-only">Findings</h2>
          <Findings findings={findings} renewal={endpoint.renewal_method} />
        </section>
      )}
      <WhatToInstall endpoint={endpoint} now={now} />
      <div className="grid gap-x-10 gap-y-6 px-4 sm:px-5 lg:grid-cols-2">
        <Facts endpoint={endpoint} agent={agent} now={now} />
        <section className="min-w-0">
          <h2 className="mb-2 text-second text-xs">Served chain</h2>
          {served_chain.length > 0 ? (
            <Chain chain={served_chain} now={now} />
          ) : (
            <p className="text-second">No certificate seen yet.</p>
          )}
        </section>
      </div>
      <Section what="The notifications" fallback={<RowsSkeleton what="notifications" rows={3} />}>
        <Notifications principal={principal} type="endpoint" id={endpoint.id} />
      </Section>
      <Section what="The history" fallback={<RowsSkeleton what="history" rows={2} />}>
        <EndpointHistory principal={principal} id={endpoint.id} />
      </Section>
      <ResourceHistory principal={principal} type="certificate_endpoint" id={endpoint.id} />
    </>
  );
}

/** The fields that the edit form needs; the rest stays on the server. */
function editedOf(endpoint: CertificateEndpointDetail): EditedEndpoint {
  const { id, host, port, sni, protocol, connect_to, address_mode, interval_seconds, tags, trust_store_id } = endpoint;
  const { agent_id, owner, renewal_method, renewal_note, renewal_link } = endpoint;
  return {
    ...{ id, host, port, sni, protocol, connect_to, address_mode, interval_seconds, tags, trust_store_id },
    ...{ agent_id, owner, renewal_method, renewal_note, renewal_link },
  };
}

function Facts({ endpoint, agent, now }: { endpoint: CertificateEndpointDetail; agent: Agent | null; now: number }) {
  const { certificate, connection, reachability, last_checked_at, next_check_at, sni } = endpoint;
  return (
    <div className="min-w-0">
      <DefinitionGroup>
        <Definition name="State">
          <EndpointState endpoint={endpoint} />
        </Definition>
        <Definition name="Reachable">
          {reachability.state === "unknown" ? "unknown" : reachability.state === "reachable" ? "yes" : "no"}
          {reachability.since && (
            <span className="text-second">
              {" "}
              · since <Time value={reachability.since} />
            </span>
          )}
        </Definition>
        <Definition name="Last check">{last_checked_at && <Ago value={last_checked_at} />}</Definition>
        <Definition name="Next check">
          <Ago value={next_check_at} />
        </Definition>
        {agent && (
          <Definition name="Checked by">
            <Link href="/certificates/agents" className="text-seal underline underline-offset-2">
              Agent {agent.name}
            </Link>
            <span className="text-second">
              {" "}
              · {endpoint.reported_at ? <Ago value={endpoint.reported_at} /> : "not yet"}
            </span>
          </Definition>
        )}
        {endpoint.protocol !== "tls" && <Definition name="Protocol">{endpoint.protocol}</Definition>}
        {endpoint.tags.length > 0 && (
          <Definition name="Tags">
            <span className="inline-flex flex-wrap gap-1">
              {endpoint.tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>
          </Definition>
        )}
      </DefinitionGroup>
      {certificate && (
        <DefinitionGroup title={connection ? "Certificate" : "Certificate, as last seen"}>
          <Definition name="Subject">
            <Link href={`/certificates/${certificate.id}`} className="text-seal underline underline-offset-2">
              {shortName(certificate.subject) || certificate.sans[0]}
            </Link>
          </Definition>
          <Definition name="Issuer">{shortName(certificate.issuer)}</Definition>
          <Definition name="Expires">
            <Time value={certificate.not_after} />
          </Definition>
          <Definition name="Time left">
            <span className="inline-flex align-top">
              <LifeBar validity={certificate} now={now} renewal={endpoint.renewal_info?.window} />
            </span>
          </Definition>
          <WindowFacts info={endpoint.renewal_info} now={now} />
        </DefinitionGroup>
      )}
      <RenewalFacts endpoint={endpoint} />
      {connection && (
        <DefinitionGroup title="Last handshake">
          <Definition name="Address" mono>
            {connection.address}
          </Definition>
          <Definition name="SNI" mono>
            {sni ?? endpoint.host}
          </Definition>
          <Definition name="TLS" mono>
            {connection.protocol} · {connection.cipher}
          </Definition>
          <Definition name="Duration">
            DNS {msWords(connection.dns_ms)} · connect {msWords(connection.connect_ms)} · TLS{" "}
            {msWords(connection.tls_ms)}
          </Definition>
        </DefinitionGroup>
      )}
      <ScanFacts scan={endpoint.tls_scan} />
    </div>
  );
}
