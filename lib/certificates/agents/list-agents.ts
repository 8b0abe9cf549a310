import type * as contract from "@/lib/certificates/agents/agent-contract";
import { agentRelations, toAgent } from "@/lib/certificates/agents/agent-row";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const FILTERS = "certificates/agents";

/** The organization's agents, newest first. */
export async function listAgents(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listAgents>,
): Promise<Output<typeof contract.listAgents>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().certificateAgent.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    include: agentRelations,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map(toAgent), nextCursor };
}
