import type { Group } from "@/lib/http/groups";
import { checkWindow, limitedAddress, limitOf, type RateLimit } from "@/lib/rate-limits/limit";

/** An address may have as many refused attempts as this many keys, because it may have several clients with old secrets. */
const KEYS_PER_ADDRESS = 3;

/**
 * Counts one request with an unusable key (not allowed by its whitelist, expired, revoked, rotated out) against the limit of refused
 * attempts, of the key and of the address, with the group's numbers. The key's own rate limit is separate, so that somebody who found
 * an old secret cannot use it up.
 */
export async function checkRefusedAttempts(
  group: Group,
  keyId: string,
  address: string | null,
  take: boolean,
): Promise<RateLimit> {
  const limit = limitOf(group);
  const ofKey = await checkWindow(`refused:${group}`, limit, keyId, take);
  if (!ofKey.admitted) return ofKey;
  const ofAddress = await checkWindow(`refused:${group}`, limit * KEYS_PER_ADDRESS, limitedAddress(address), take);
  return ofAddress.admitted ? ofKey : ofAddress;
}
