import type { Transaction } from "@/lib/db/app";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** Throws 400 naming `expires_at` if a key would expire at once. Null: it does not expire. */
export function requireFuture(expiresAt: string | null | undefined): void {
  if (expiresAt != null && Date.parse(expiresAt) <= Date.now()) throw invalid("expires_at", "must be in the future");
}

/**
 * A key that expires can create, update and rotate only keys that expire no later than itself, so that temporary access cannot
 * become permanent. Throws 400 naming `expires_at`.
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
  const message = `must be at most ${latest.toISOString()}, when the key of this request expires`;
  throw invalid("expires_at", message);
}
