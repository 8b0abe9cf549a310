import type * as contract from "@/lib/certificates/agents/agent-contract";
import { readAgent, toAgent } from "@/lib/certificates/agents/agent-row";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** One agent of the organization. Throws 404. */
export async function getAgent(
  principal: Principal,
  { id }: Input<typeof contract.getAgent>,
): Promise<Output<typeof contract.getAgent>> {
  return toAgent(await readAgent(principal, id));
}
