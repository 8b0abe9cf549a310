import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/agents/agent-contract";
import { reportAsAgent } from "@/lib/certificates/agents/report-as-agent";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.reportAsAgent, reportAsAgent));
