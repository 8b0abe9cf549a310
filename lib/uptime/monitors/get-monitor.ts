import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/contract";
import { readMonitor, toMonitor } from "@/lib/uptime/monitors/monitor";

/** One monitor of the organization. Throws 404. */
export async function getMonitor(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getMonitor>,
): Promise<Output<typeof contract.getMonitor>> {
  return toMonitor(await readMonitor(organizationId, id));
}
