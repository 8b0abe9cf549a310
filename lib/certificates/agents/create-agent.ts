import { issueKey } from "@/lib/api-keys/issue-key";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { alsoChanged, recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/agents/agent-contract";
import { agentRelations, recordedAgent, toAgent } from "@/lib/certificates/agents/agent-row";
import type { Transaction } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

/** Creates an agent with its API key, and returns the key's secret. Throws 400, 402, 403, 409. */
export async function createAgent(
  principal: Principal,
  { name }: Input<typeof contract.createAgent>,
): Promise<Output<typeof contract.createAgent>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return refuseDuplicate(
    "An agent with this name already exists.",
    auditedTransaction(async (tx, event) => {
      const { row: key, secret } = await issueAgentKey(tx, event, principal, name, false);
      const now = event.occurredAt;
      const row = await tx.certificateAgent.create({
        data: { organizationId, id: newId(), name, apiKeyId: key.id, createdAt: now, updatedAt: now },
        include: agentRelations,
      });
      event.resource("certificate_agent", row.id);
      recordChanges(event, name, null, recordedAgent(row));
      return { ...toAgent(row), secret };
    }),
  );
}

/** The API key of an agent, as `issueKey` creates it. Throws 400, 402. */
export async function issueAgentKey(
  tx: Transaction,
  event: AuditEventDraft,
  principal: Principal,
  name: string,
  isReplacement: boolean,
) {
  const issued = await issueKey(
    tx,
    event,
    principal,
    { name, permission: "admin", scope: "agent", ip_whitelist: [], expires_at: null },
    isReplacement,
  );
  alsoChanged(event, issued.row.id);
  return issued;
}
