import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/agents/agent-contract";
import { readAgent, recordedAgent, toAgent } from "@/lib/certificates/agents/agent-row";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, invalid } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { decodeBase64 } from "@/lib/sealed-log/base64";
import { KEY_BYTES } from "@/lib/sealed-log/ed25519";

/** Enrolls the key that an agent signs reports with, unless it has another one. Throws 400, 403, 404, 409. */
export async function enrollAgent(
  principal: Principal,
  { id, public_key, version }: Input<typeof contract.enrollAgent>,
): Promise<Output<typeof contract.enrollAgent>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const decoded = decodeBase64(public_key, KEY_BYTES);
  if (decoded === null) throw invalid("public_key", `must be ${KEY_BYTES} bytes in base64`);
  const publicKey = Uint8Array.from(decoded);
  const before = await readAgent(principal, id);
  if (before.publicKey === null || !decoded.equals(before.publicKey)) {
    await auditedTransaction(async (tx, event) => {
      const now = event.occurredAt;
      const { count } = await tx.certificateAgent.updateMany({
        where: { organizationId, id, publicKey: null },
        data: { publicKey, version, enrolledAt: now, lastSeenAt: now, updatedAt: now },
      });
      if (count === 0)
        throw new ApiError("CONFLICT", "This agent has enrolled another key. Replace its credentials to enroll again.");
      event.resource("certificate_agent", id);
      recordChanges(event, before.name, recordedAgent(before), recordedAgent({ ...before, publicKey }));
    });
  }
  return toAgent(await readAgent(principal, id));
}
