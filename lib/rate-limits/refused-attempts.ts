import type { Group } from "@/lib/http/groups";
import { checkWindow, limitedAddress, limitOf, type RateLimit } from "@/lib/rate-limits/limit";

/** An address may be refused as often as so many keys: behind one there may be several clients with an old secret. */
const KEYS_PER_ADDRESS = 3;

/**
 * Counts one request of a key that may not be used (away from its whitelist, expired, revoked, rotated out) against the limit of
 * refused attempts: of the key, and of the address, by the group's numbers. The key's own allowance is another one, which whoever
 * found an old secret cannot use up.
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
