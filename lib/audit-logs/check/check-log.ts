import { checkEntries, type Position } from "@/lib/audit-logs/check/check-entries";
import { queueUnsealed } from "@/lib/audit-logs/check/queue-unsealed";
import type { Wrong } from "@/lib/audit-logs/check/wrong";
import { auditPool } from "@/lib/db/audit";

/** The progress of the check of an organization's log. */
export interface Progress {
  isDone: boolean;
  /** The epoch being checked, and the position in it. Earlier epochs are done; null if all are. */
  epoch: number | null;
  position: Position | null;
  /** The stored event up to which every event is known to be sealed; null before the first. */
  after: string | null;
  /** Signed entries of the present epoch. */
  size: number;
  wrong: Wrong | null;
}

export const START: Progress = { isDone: false, epoch: 0, position: null, after: null, size: 0, wrong: null };

/**
 * Checks the sealed log of an organization: its entries in every epoch, then whether all stored events are sealed. Goes on from
 * `progress`, and returns how far it has come when it is done or `stop` ends it. Changes nothing but the queue of the sealer.
 */
export async function checkLog(organizationId: string, progress: Progress, stop: () => boolean): Promise<Progress> {
  const epochs = await epochsOf(organizationId);
  let { epoch, position, size, wrong } = progress;
  for (const each of epoch === null ? [] : epochs) {
    if (each < (epoch ?? 0) || wrong !== null) continue;
    const result = await checkEntries({ organization_id: organizationId, epoch: each }, position, stop);
    ({ position, size, wrong } = result);
    if (!result.isDone) return { ...progress, epoch: each, position, size };
    epoch = each + 1;
  }
  // A new epoch removes what is not signed.
  if (wrong !== null && (await epochsOf(organizationId)).at(-1) !== epochs.at(-1)) return START;
  const unsealed = await queueUnsealed(organizationId, progress.after, stop);
  return {
    ...{ isDone: unsealed.isDone, epoch: null, position: null, after: unsealed.after, size },
    wrong: wrong ?? unsealed.wrong,
  };
}

/** The epochs of an organization's log, oldest first; the last is the present one. */
export async function epochsOf(organizationId: string): Promise<number[]> {
  const { rows } = await auditPool().query<{ epoch: number }>(
    `SELECT epoch FROM audit_seal_checkpoints WHERE organization_id = $1
     UNION SELECT epoch FROM audit_seal_logs WHERE organization_id = $1 ORDER BY epoch`,
    [organizationId],
  );
  return rows.map(({ epoch }) => epoch);
}
