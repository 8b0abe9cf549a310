import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/agents/agent-contract";
import { enrollAgent } from "@/lib/certificates/agents/enroll-agent";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.enrollAgent, enrollAgent));
