import { type Finding, found } from "@/lib/certificates/findings";
import { identify, type Path } from "@/lib/certificates/judge/path";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";

/** The time after which browsers distrust what the path's anchor issued, if the leaf was issued later; otherwise null. */
export function distrustOf({ path, end }: Path, trust: TrustStore): Date | null {
  const [leaf, anchor] = [path[0], path.at(-1)];
  if (end !== "trusted" || leaf === undefined || anchor === undefined) return null;
  const after = trust.distrustedAfter(anchor);
  return after !== null && leaf.notBefore > after ? after : null;
}

/** A certificate that was issued after browsers stopped trusting its root. */
export function judgeDistrust(path: Path, trust: TrustStore): Finding | null {
  const after = distrustOf(path, trust);
  const [leaf, anchor] = [path.path[0], path.path.at(-1)];
  if (after === null || leaf === undefined || anchor === undefined) return null;
  return found("root_distrusted", "critical", {
    ...identify(anchor),
    distrust_after: after.toISOString(),
    not_before: leaf.notBefore.toISOString(),
  });
}
