import type * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { readPublicRoots } from "@/lib/network/public-roots";

/** Which public roots this installation trusts; the same for every organization. */
export async function getPublicRoots(
  _principal: Principal,
  _input: Input<typeof contract.getPublicRoots>,
): Promise<Output<typeof contract.getPublicRoots>> {
  const { source, version, roots } = readPublicRoots();
  const distrusted_count = roots.filter(({ distrustAfter }) => distrustAfter !== null).length;
  return { source, nodejs_version: version, count: roots.length, distrusted_count };
}
