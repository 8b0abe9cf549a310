import { examineChain } from "@/lib/certificates/judge/chain";
import type { Observations } from "@/lib/certificates/probe/observation";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { processorTime } from "@/lib/jobs/processor-time";
import { mapInTurns } from "@/lib/turns";

/**
 * Verifies the signatures of the observed chains at the expense of the organization, while other work gets its turns. They are remembered:
 * whoever examines the same chains later verifies none.
 */
export async function verifyChains(
  organizationId: string,
  observations: Observations,
  trust: TrustStore,
): Promise<void> {
  const served = observations.flatMap((each) => (each.outcome === "served" ? [each] : []));
  await mapInTurns(served, ({ chain, observedAt }) =>
    processorTime().spend(organizationId, () => examineChain(chain, trust, observedAt)),
  );
}
