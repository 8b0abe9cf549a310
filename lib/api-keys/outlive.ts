import type { Transaction } from "@/lib/db/app";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/**
 * A key that expires makes, changes and rotates only keys that expire no later than it does: whoever has it for a while must not keep
 * access for good. Throws 400 naming `expires_at`.
 */
export async function refuseOutliving(
  tx: Transaction,
  { organizationId, actor }: Principal,
  expiresAt: Date | null,
): Promise<void> {
  if (actor.type !== "api_key") return;
  const where = { organizationId_id: { organizationId, id: actor.id } };
  const own = await tx.apiKey.findUnique({ where, select: { expiresAt: true } });
  const latest = own?.expiresAt ?? null;
  if (latest === null || (expiresAt !== null && expiresAt <= latest)) return;
  const message = `must be at most ${latest.toISOString()}, when the key expires that this request was made with`;
  throw invalid("expires_at", message);
}
