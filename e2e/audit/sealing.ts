import { until } from "@/e2e/support/until";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";

/** Resolves when signed checkpoints cover all of these events. */
export function whenSigned(organizationId: string, ids: readonly string[]): Promise<true> {
  return until("the events are sealed and signed", async () => {
    const seals = await findSeals(ids.map((id) => ({ organization_id: organizationId, id })));
    return seals.size === ids.length;
  });
}
