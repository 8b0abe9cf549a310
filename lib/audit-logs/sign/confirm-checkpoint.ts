import { INSTALLATION_LOG, keyAt, readKeyChain } from "@/lib/audit-logs/seal/key-chain";
import { type LogKey, rootAt } from "@/lib/audit-logs/seal/nodes";
import type { Tree } from "@/lib/audit-logs/seal/seal-rows";
import { continuesHead, readInstallation } from "@/lib/audit-logs/sign/installation";
import { INSTALLATION, raiseSealedHead, type SealedHead } from "@/lib/audit-logs/sign/sealed-heads";
import { asNextSigner } from "@/lib/audit-logs/sign/signer-lock";
import { auditPool } from "@/lib/db/audit";
import { type Checkpoint, parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { FormatError } from "@/lib/sealed-log/format-error";
import { keptNote, parseNote, verifyNote } from "@/lib/sealed-log/note";
import { installationOrigin, organizationOrigin, parseOrganizationOrigin } from "@/lib/sealed-log/origin";
import { verifierKey } from "@/lib/sealed-log/vkey";

/** A checkpoint cannot be confirmed, for the reason in the message. */
export class Unconfirmed extends Error {
  override readonly name = "Unconfirmed";
}

/**
 * Takes a checkpoint that was kept elsewhere as signed, like those that the monitoring database knows, because both databases may have
 * been restored. If the log continues it, signing goes on; otherwise it is refused from then on. Throws Unconfirmed.
 */
export function confirmCheckpoint(note: string): Promise<Checkpoint> {
  return asNextSigner(async () => {
    const { host, public_key, ...installation } = await readInstallation();
    if (host === null || public_key === null) throw new Unconfirmed("This installation has signed no checkpoint yet.");
    const { checkpoint, isSignedBy } = readNote(note);
    const { origin, size, root } = checkpoint;
    const organization = parseOrganizationOrigin(origin);
    const log = organization === null ? null : await readLog(organization.organizationId);
    const key = log ?? installation;
    const due =
      log === null
        ? installationOrigin(host, key.epoch)
        : organizationOrigin({ host, ...log, organizationId: log.organization_id });
    if (origin !== due) throw new Unconfirmed(`It is a checkpoint of ${origin}, and the log is ${due} now.`);
    const chain = await readKeyChain(auditPool(), log?.organization_id ?? INSTALLATION_LOG, key.epoch);
    if (!isSignedBy(keyAt(chain, size))) {
      throw new Unconfirmed("The key of this installation did not sign the checkpoint.");
    }
    const head: SealedHead = { log: log?.organization_id ?? INSTALLATION, epoch: key.epoch, size, root };
    const isContinued = log === null ? await continuesHead(installation, head) : await yields(log, head);
    await raiseSealedHead(head);
    if (!isContinued) {
      throw new Unconfirmed(
        "The log does not continue this checkpoint, so nothing more is signed. Run: npm run cli -- audit epoch new --reason TEXT",
      );
    }
    if (log !== null) {
      await auditPool().query(
        "UPDATE audit_seal_logs SET refused = NULL, refused_at = NULL WHERE organization_id = $1",
        [log.organization_id],
      );
    }
    return checkpoint;
  });
}

/** A checkpoint, and which key signed it. Throws Unconfirmed; so does `isSignedBy` for an invalid signature. */
function readNote(note: string): { checkpoint: Checkpoint; isSignedBy: (publicKey: Buffer | null) => boolean } {
  const parsed = orUnconfirmed(() => parseNote(keptNote(note)));
  const checkpoint = orUnconfirmed(() => parseCheckpoint(parsed.text));
  const isSignedBy = (publicKey: Buffer | null) =>
    publicKey !== null &&
    orUnconfirmed(() => verifyNote(parsed, [verifierKey(checkpoint.origin, publicKey)]).length > 0);
  return { checkpoint, isSignedBy };
}

function orUnconfirmed<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw new Unconfirmed(error.message);
    throw error;
  }
}

async function readLog(organizationId: string): Promise<(LogKey & Tree & { slot: number }) | null> {
  const { rows } = await auditPool().query<LogKey & Tree & { slot: number }>(
    `SELECT organization_id, slot::float8 AS slot, epoch, size::float8 AS size, edge FROM audit_seal_logs WHERE organization_id = $1`,
    [organizationId],
  );
  return rows[0] ?? null;
}

async function yields(log: LogKey & Tree, { size, root }: SealedHead): Promise<boolean> {
  const now = size > log.size ? null : await rootAt(auditPool(), log, log, size);
  return now !== null && Buffer.compare(now, root) === 0;
}
