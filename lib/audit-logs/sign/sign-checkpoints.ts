import { beginRound } from "@/lib/audit-logs/sign/begin-round";
import { announceKey, isKeyChanged } from "@/lib/audit-logs/sign/change-keys";
import { completeRound } from "@/lib/audit-logs/sign/complete-round";
import { examineInstallation, type Installation } from "@/lib/audit-logs/sign/installation";
import { deleteKeyBefore, readSealKeys, type SealKeys } from "@/lib/audit-logs/sign/seal-keys";
import { LostSwap } from "@/lib/audit-logs/sign/sealed-heads";
import { writeSignedHead } from "@/lib/audit-logs/sign/signed-head-file";
import { asSigner } from "@/lib/audit-logs/sign/signer-lock";
import { warnOnce } from "@/lib/audit-logs/sign/warn-once";
import { auditPool } from "@/lib/db/audit";
import { log } from "@/lib/log";

/**
 * Worker job: signs checkpoints of the organizations whose sealed logs have grown. Signs nothing with another key than the
 * installation's, unless that is the key before, or if the audit database is older than what was signed, as after a restore.
 */
export async function signCheckpoints(signal: AbortSignal): Promise<void> {
  const keys = await readSealKeys();
  const { installation, refusal } = await examineInstallation(keys.current.publicKey);
  const isOurs = [keys.current, keys.before].some((key) => key?.publicKey.equals(installation.public_key));
  if (!isOurs) {
    return warnOnce("AUDIT_SEAL_KEY is not the key that signed the sealed log: this machine signs no checkpoints.");
  }
  if (refusal !== installation.refused) await setRefusal(refusal);
  if (refusal !== null) return warnOnce(refusal);
  if (keys.before === null && !(await isAnythingUnsigned())) return;
  try {
    await asSigner(async () => {
      await announceKey(installation.host, keys, signal);
      await signRounds(installation, keys, signal);
      await endChange(keys);
    });
  } catch (error) {
    if (!(error instanceof LostSwap)) throw error;
    log.warn({ err: error }, "a round of the sealed log begins again");
  }
}

async function isAnythingUnsigned(): Promise<boolean> {
  const { rows } = await auditPool().query<{ any: boolean }>(
    `SELECT EXISTS (SELECT FROM audit_seal_logs WHERE size > head_size AND refused IS NULL)
       OR EXISTS (SELECT FROM audit_seal_rounds WHERE checkpoint IS NULL) AS any`,
  );
  return rows[0]?.any === true;
}

/** Deletes the key before when no log needs it any more. */
async function endChange(keys: SealKeys): Promise<void> {
  if (keys.before === null || !(await isKeyChanged(keys.current.publicKey))) return;
  // Another change may have begun since the keys were read.
  const now = await readSealKeys();
  if (now.before?.publicKey.equals(keys.before.publicKey)) await deleteKeyBefore();
}

async function signRounds({ host }: Installation, keys: SealKeys, signal: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    const begun = await beginRound(host);
    const head = begun.isBegun ? await completeRound(host, keys) : null;
    if (head !== null) await writeSignedHead(head);
    hasMore = begun.hasMore;
  }
}

async function setRefusal(refusal: string | null): Promise<void> {
  await auditPool().query("UPDATE audit_seal_installation SET refused = $1", [refusal]);
}
