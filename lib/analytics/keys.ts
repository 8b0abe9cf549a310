import type * as contract from "@/lib/analytics/contract";
import { COUNTS, queryInUse } from "@/lib/analytics/in-use";
import type { Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

type Keys = Output<typeof contract.getAnalyticsKeys>;

/** Key types, sizes and signature algorithms of the certificates in use. */
export async function getAnalyticsKeys({ organizationId }: Principal): Promise<Keys> {
  const [keys, signatures] = await Promise.all([
    queryInUse<Keys["keys"][number]>(
      organizationId,
      `SELECT key_type, key_bits, ${COUNTS} FROM in_use GROUP BY key_type, key_bits ORDER BY certificates DESC, key_type, key_bits`,
    ),
    queryInUse<Keys["signatures"][number]>(
      organizationId,
      `SELECT signature_algorithm, ${COUNTS} FROM in_use GROUP BY signature_algorithm ORDER BY certificates DESC, signature_algorithm`,
    ),
  ]);
  return { keys, signatures };
}
