import type { Transaction } from "@/lib/db/app";
import { ApiError } from "@/lib/http/errors";
import { formatCount } from "@/lib/text/counts";

/**
 * Refuses one more of something of which every plan allows the same number. Concurrent additions of
 * the organization wait until the transaction ends, so that the count stays true. Throws 409.
 */
export async function requireFewerThan(
  tx: Transaction,
  organizationId: string,
  most: number,
  nouns: string,
  count: () => Promise<number>,
): Promise<void> {
  await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  if ((await count()) < most) return;
  throw new ApiError("CONFLICT", `An organization can have at most ${formatCount(most)} ${nouns}.`);
}
