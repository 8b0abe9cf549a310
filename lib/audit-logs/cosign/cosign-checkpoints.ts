import { askWitness, type WitnessOutcome } from "@/lib/audit-logs/cosign/ask-witness";
import { coverLogs } from "@/lib/audit-logs/cosign/cover-logs";
import { type DueWitness, leaseWitnesses } from "@/lib/audit-logs/cosign/lease-witnesses";
import { recordOutcome } from "@/lib/audit-logs/cosign/record-outcome";
import { logFailure } from "@/lib/db/outage-log";
import { runLeasedWork } from "@/lib/jobs/leased-work";

/** Concurrent witnesses per process: more than there can be, so that one that hangs delays no other. */
const SLOTS = { total: 32, perOrganization: 32 };

interface Asked {
  witness: DueWitness;
  outcome: WitnessOutcome;
}

/**
 * Worker job: asks each witness to cosign the newest checkpoint of the log over all heads. A witness that knows another history of
 * that log stops signing; one that is unavailable, slow or wrong delays neither signing nor another witness.
 */
export async function cosignCheckpoints(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  try {
    await coverLogs();
  } catch (error) {
    logFailure("the logs of all organizations could not be covered by one checkpoint", error);
  }
  await runLeasedWork<DueWitness, Asked>(
    {
      ...{ what: "cosignature", kind: "cosignature", slots: SLOTS, lease: (most) => leaseWitnesses(most) },
      work: async (witness, stop) => ({ witness, outcome: await askWitness(witness, stop) }),
      idOf: ({ witness }) => witness.name,
      write: async (asked) => {
        for (const { witness, outcome } of asked) await recordOutcome(witness, outcome);
      },
    },
    signal,
    onProgress,
  );
}
