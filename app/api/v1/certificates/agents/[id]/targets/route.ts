import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/agents/agent-contract";
import { listAgentTargets } from "@/lib/certificates/agents/list-agent-targets";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listAgentTargets, listAgentTargets),
);
