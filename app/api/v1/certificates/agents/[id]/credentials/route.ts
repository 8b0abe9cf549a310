import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/agents/agent-contract";
import { replaceAgentCredentials } from "@/lib/certificates/agents/replace-credentials";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.replaceAgentCredentials, replaceAgentCredentials),
);
