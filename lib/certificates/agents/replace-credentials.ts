import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { alsoChanged, recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/agents/agent-contract";
import { agentRelations, recordedAgent, toAgent } from "@/lib/certificates/agents/agent-row";
import { issueAgentKey } from "@/lib/certificates/agents/create-agent";
import type { Transaction } from "@/lib/db/app";
import type { CertificateAgent } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Revokes the agent's API key, issues another, and deletes the key that it signs with. Throws 400, 402, 403, 404. */
export async function replaceAgentCredentials(
  principal: Principal,
  { id }: Input<typeof contract.replaceAgentCredentials>,
): Promise<Output<typeof contract.replaceAgentCredentials>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  return auditedTransaction(async (tx, event) => {
    await tx.$queryRaw`SELECT id FROM certificate_agents
      WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
    const before = await tx.certificateAgent.findUnique({ where });
    if (before === null) throw notFound();
    const isRevoked = await revokeAgentKey(tx, event, before);
    const { row: key, secret } = await issueAgentKey(tx, event, principal, before.name, isRevoked);
    const after = await tx.certificateAgent.update({
      where,
      data: { apiKeyId: key.id, publicKey: null, enrolledAt: null, updatedAt: event.occurredAt },
      include: agentRelations,
    });
    event.resource("certificate_agent", id);
    recordChanges(event, before.name, recordedAgent(before), recordedAgent(after));
    return { ...toAgent(after), secret };
  });
}

/** Revokes the API key of an agent; false if it already is. */
export async function revokeAgentKey(
  tx: Transaction,
  event: AuditEventDraft,
  { organizationId, apiKeyId }: CertificateAgent,
): Promise<boolean> {
  const { count } = await tx.apiKey.updateMany({
    where: { organizationId, id: apiKeyId, revokedAt: null },
    data: { revokedAt: event.occurredAt },
  });
  if (count === 0) return false;
  event.flag("key_revoked");
  alsoChanged(event, apiKeyId);
  return true;
}
