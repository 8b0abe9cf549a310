import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/agents/agent-contract";
import { createAgent } from "@/lib/certificates/agents/create-agent";
import { listAgents } from "@/lib/certificates/agents/list-agents";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listAgents, listAgents),
  handle(contract.createAgent, createAgent),
);
