import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/agents/agent-contract";
import { agentRelations, readAgent, recordedAgent, toAgent } from "@/lib/certificates/agents/agent-row";
import { revokeAgentKey } from "@/lib/certificates/agents/replace-credentials";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Deletes an agent that checks no endpoint, revokes its API key, and returns it. Throws 403, 404, 409. */
export async function deleteAgent(
  principal: Principal,
  { id }: Input<typeof contract.deleteAgent>,
): Promise<Output<typeof contract.deleteAgent>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await readAgent(principal, id);
  return auditedTransaction(async (tx, event) => {
    // Locked first: an endpoint that is given to it meanwhile waits, and then finds it deleted. Its key may be replaced until then.
    await tx.$queryRaw`SELECT id FROM certificate_agents
      WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
    const last = await tx.certificateAgent.findUnique({
      where: { organizationId_id: { organizationId, id } },
      include: agentRelations,
    });
    if (last === null) throw notFound();
    const endpoints = await tx.certificateEndpoint.count({ where: { organizationId, agentId: id } });
    if (endpoints > 0)
      throw new ApiError("CONFLICT", `This agent checks ${endpoints} endpoint${endpoints === 1 ? "" : "s"}.`);
    await tx.certificateAgent.deleteMany({ where: { organizationId, id } });
    await revokeAgentKey(tx, event, last);
    event.resource("certificate_agent", id);
    recordChanges(event, last.name, recordedAgent(last), null);
    return toAgent(last);
  });
}
