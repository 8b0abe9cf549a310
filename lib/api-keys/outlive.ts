import type { Transaction } from "@/lib/db/app";
import { ApiError, invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** Throws 400 naming `expires_at` if a key would expire at once. Null: it does not expire. */
export function requireFuture(expiresAt: string | null | undefined): void {
  if (expiresAt != null && Date.parse(expiresAt) <= Date.now()) throw invalid("expires_at", "must be in the future");
}

/**
 * A key that expires can create, update and rotate only keys that expire no later than itself, so that temporary access cannot
 * become permanent. Throws 400 naming `expires_at`.
 */
export async function refuseOutliving(tx: Transaction, principal: Principal, expiresAt: Date | null): Promise<void> {
  const latest = await expirationOf(tx, principal);
  if (latest === null || (expiresAt !== null && expiresAt <= latest)) return;
  const message = `must be at most ${latest.toISOString()}, when the key of this request expires`;
  throw invalid("expires_at", message);
}

/** A key that expires can create or rotate nothing that gives access and never expires, such as `the calendar's address`. Throws 403. */
export async function refuseLasting(tx: Transaction, principal: Principal, what: string): Promise<void> {
  const latest = await expirationOf(tx, principal);
  if (latest === null) return;
  const message = `The key of this request expires at ${latest.toISOString()}, and ${what} would give access after that.`;
  throw new ApiError("METHOD_NOT_ALLOWED", message);
}

/** When the key of a request expires; null if it never does, or if the request has no key. */
async function expirationOf(tx: Transaction, { organizationId, actor }: Principal): Promise<Date | null> {
  if (actor.type !== "api_key") return null;
  const where = { organizationId_id: { organizationId, id: actor.id } };
  const own = await tx.apiKey.findUnique({ where, select: { expiresAt: true } });
  return own?.expiresAt ?? null;
}
