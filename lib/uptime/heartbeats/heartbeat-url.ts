import { config } from "@/lib/config";
import type { Transaction } from "@/lib/db/app";
import { hashToken, newToken } from "@/lib/tokens";

/** Gives a heartbeat monitor a new URL, which replaces its previous one. Only the hash of its token is stored. */
export async function issueHeartbeatUrl(tx: Transaction, organizationId: string, monitorId: string): Promise<string> {
  const token = newToken();
  const issued = { tokenHash: hashToken(token), issuedAt: new Date() };
  await tx.uptimeHeartbeat.upsert({
    where: { organizationId_monitorId: { organizationId, monitorId } },
    create: { organizationId, monitorId, ...issued },
    update: issued,
  });
  return new URL(`/heartbeat/${token}`, config().PUBLIC_URL).href;
}
