import { isLocal } from "@/lib/certificates/targets";
import type { Transaction } from "@/lib/db/app";
import { invalid } from "@/lib/http/errors";

/** The error for an agent that the organization does not have. */
export const UNKNOWN_AGENT = "is not the id of an agent of this organization";

/** The protocols that agents support. */
const AGENT_PROTOCOLS = ["tls", "https"];

/** The ids of agents of the organization, among the given ids. Locks them, so that nobody deletes them meanwhile. */
export async function lockAgents(tx: Transaction, organizationId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM certificate_agents
    WHERE organization_id = ${organizationId}::uuid AND id = ANY (${ids}::uuid[]) ORDER BY id FOR KEY SHARE`;
  return new Set(found.map(({ id }) => id));
}

/** Locks the agent, so that nobody deletes it meanwhile. Throws 400 if the organization does not have it. */
export async function requireAgent(tx: Transaction, organizationId: string, id: string | null): Promise<void> {
  if (id !== null && !(await lockAgents(tx, organizationId, [id])).has(id)) throw invalid("agent_id", UNKNOWN_AGENT);
}

/** Throws 400 if the agent cannot check the endpoint, or if only an agent could and none is set. */
export function refuseUncheckable(endpoint: {
  agentId: string | null;
  protocol: string;
  reported: boolean;
  connectTo: string;
}): void {
  const { agentId, protocol, reported, connectTo } = endpoint;
  if (agentId === null && isLocal(connectTo))
    throw invalid("connect_to", "must be an address unless `agent_id` is given");
  if (agentId === null) return;
  if (reported) throw invalid("agent_id", "must be null if `reported` is true");
  if (!AGENT_PROTOCOLS.includes(protocol)) throw invalid("agent_id", "must be null: agents check only tls and https");
}
