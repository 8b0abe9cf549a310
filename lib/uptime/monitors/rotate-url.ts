import { refuseLasting } from "@/lib/api-keys/outlive";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges, Secret } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/contract";
import { issueHeartbeatUrl } from "@/lib/uptime/heartbeats/heartbeat-url";
import { toMonitor } from "@/lib/uptime/monitors/monitor";

/** Replaces the URL of a heartbeat monitor and returns the new one, only this once. Throws 403, 404, 409 for other types. */
export async function rotateHeartbeatUrl(
  principal: Principal,
  { id }: Input<typeof contract.rotateHeartbeatUrl>,
): Promise<Output<typeof contract.rotateHeartbeatUrl>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedTransaction(async (tx, event) => {
    const row = await tx.uptimeMonitor.findUnique({ where: { organizationId_id: { organizationId, id } } });
    if (row === null) throw notFound();
    event.resource("monitor", id);
    if (row.type !== "heartbeat") throw new ApiError("CONFLICT", "Only heartbeat monitors have a URL.");
    await refuseLasting(tx, principal, "the heartbeat's URL");
    const heartbeat_url = await issueHeartbeatUrl(tx, organizationId, id);
    recordChanges(event, row.name, { url: new Secret(null) }, { url: new Secret(heartbeat_url) });
    return { ...toMonitor(row), heartbeat_url };
  });
}
