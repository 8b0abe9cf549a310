import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/agents/agent-contract";
import { deleteAgent } from "@/lib/certificates/agents/delete-agent";
import { getAgent } from "@/lib/certificates/agents/get-agent";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAgent, getAgent),
  handle(contract.deleteAgent, deleteAgent),
);
