import type * as contract from "@/lib/certificates/agents/agent-contract";
import { readAgent } from "@/lib/certificates/agents/agent-row";
import { touchAgent } from "@/lib/certificates/agents/touch-agent";
import type { AddressMode, Protocol } from "@/lib/certificates/targets";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** The endpoints that an agent checks, newest first. Throws 404. */
export async function listAgentTargets(
  principal: Principal,
  { id, limit, cursor }: Input<typeof contract.listAgentTargets>,
): Promise<Output<typeof contract.listAgentTargets>> {
  const { organizationId } = principal;
  const agent = await readAgent(principal, id);
  // Others may look, too.
  if (principal.actor.type === "api_key" && principal.actor.id === agent.apiKeyId) await touchAgent(agent);
  const filters = ["certificates/agents/targets", id];
  const after = decodeIdCursor(cursor, filters);
  const rows = await db().certificateEndpoint.findMany({
    where: { organizationId, agentId: id, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, filters);
  return {
    items: items.map((row) => ({
      endpoint_id: row.id,
      version: row.version,
      host: row.host,
      port: row.port,
      protocol: row.protocol as Protocol,
      sni: row.sni === "" ? null : row.sni,
      connect_to: row.connectTo === "" ? null : row.connectTo,
      address_mode: row.addressMode as AddressMode,
      interval_seconds: row.intervalSeconds,
      due_at: row.nextCheckAt.toISOString(),
    })),
    nextCursor,
  };
}
