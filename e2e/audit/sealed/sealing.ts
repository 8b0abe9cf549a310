import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { sealEvents } from "@/lib/audit-logs/seal/sealer";
import { beginRound } from "@/lib/audit-logs/sign/begin-round";
import { completeRound } from "@/lib/audit-logs/sign/complete-round";
import { sealKey } from "@/lib/audit-logs/sign/seal-keys";
import { asNextSigner } from "@/lib/audit-logs/sign/signer-lock";
import { auditSealKey } from "@/server/data-dir";

/** Resolves when signed checkpoints cover all of these events. */
export function whenSigned(organizationId: string, ids: readonly string[]): Promise<true> {
  return until("the events are sealed and signed", async () => {
    const seals = await findSeals(ids.map((id) => ({ organization_id: organizationId, id })));
    return seals.size === ids.length;
  });
}

/** Seals and signs what is stored, without waiting for the worker's rounds, unless the worker has yet to sign for the first time. */
export async function signNow(server: Sealwatch): Promise<void> {
  await sealEvents(new AbortController().signal);
  const sql = "SELECT host FROM audit_seal_installation WHERE host IS NOT NULL";
  const [installation] = await query<{ host: string }>(server, "audit", sql);
  if (installation === undefined) return;
  const keys = { current: sealKey(Buffer.from(auditSealKey(server.dataDir), "base64")), before: null };
  await asNextSigner(async () => {
    while ((await beginRound(installation.host)).isBegun) await completeRound(installation.host, keys);
  });
}
