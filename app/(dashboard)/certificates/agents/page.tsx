import type { Metadata } from "next";
import { AddAgent } from "@/components/certificates/agents/add-agent";
import { AgentActions } from "@/components/certificates/agents/agent-actions";
import { CertificatePages } from "@/components/certificates/certificate-pages";
import { statusTone } from "@/components/certificates/findings/finding-tones";
import { NewestOnly } from "@/components/layout/newest-only";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { ActionsHead, Data, Head, Row, Table } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listAgents } from "@/lib/certificates/agents/list-agents";
import { formatCount } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsPage() {
  const principal = await requirePrincipal();
  const { items, nextCursor } = await listAgents(principal, { limit: 200, cursor: undefined });
  const reason = readOnlyReason(principal.permission);
  return (
    <>
      <PageHeader title="Certificates" actions={<AddAgent reason={reason} />} />
      <CertificatePages here="/certificates/agents" flush />
      {items.length === 0 ? (
        <EmptyState title="No agents yet">
          An agent is one file that you run inside a network that Sealwatch cannot reach. It checks endpoints there,
          reads files and Kubernetes secrets with certificates, and reports what it sees.
        </EmptyState>
      ) : (
        <Table
          label="Agents"
          head={
            <>
              <Head>Agent</Head>
              <Head className="w-40">Last seen</Head>
              <Head className="w-24 max-md:hidden">Version</Head>
              <Head numeric className="w-24 max-sm:hidden">
                Endpoints
              </Head>
              <ActionsHead />
            </>
          }
        >
          {items.map(({ id, name, last_seen_at, silent_since, enrolled_at, version, endpoint_count }) => (
            <Row key={id}>
              <Data>{name}</Data>
              <Data className="text-second">
                {enrolled_at === null || last_seen_at === null ? "not started yet" : <Ago value={last_seen_at} />}
                {silent_since !== null && <Status tone={statusTone.critical}>silent</Status>}
              </Data>
              <Data className="text-second max-md:hidden">{version ?? "—"}</Data>
              <Data numeric className="max-sm:hidden">
                {formatCount(endpoint_count)}
              </Data>
              <Data className="text-right">
                <AgentActions agent={{ id, name, endpoint_count }} reason={reason} />
              </Data>
            </Row>
          ))}
        </Table>
      )}
      <NewestOnly count={items.length} next={nextCursor} />
    </>
  );
}
