import { treeOf } from "@/lib/audit-logs/seal/seal-rows";
import { INSTALLATION, readSealedHeads } from "@/lib/audit-logs/sign/sealed-heads";
import { readSignedHead } from "@/lib/audit-logs/sign/signed-head-file";
import { config } from "@/lib/config";
import { auditPool } from "@/lib/db/audit";
import { decodeBase64 } from "@/lib/sealed-log/base64";
import { originHost } from "@/lib/sealed-log/origin";
import type { Head } from "@/lib/sealed-log/proofs";
import type { Hash } from "@/lib/sealed-log/tree";

/**
 * Rounds that are kept, of the present epoch: six days of one every five seconds, with 1 kB each. Only machines need them, to compare
 * what they signed last; a kept checkpoint has what its proofs need of its round.
 */
export const KEPT_ROUNDS = 100_000;

/** The installation's log over the heads of all logs. */
export interface Installation {
  /** In the origins of all logs, kept since the first signature. */
  host: string;
  /** The key that signed its newest checkpoint. */
  public_key: Buffer;
  epoch: number;
  size: number;
  edge: Buffer;
  refused: string | null;
}

type InstallationTree = Pick<Installation, "epoch" | "size" | "edge">;

/**
 * The installation's log, which takes this key as its own if it has none yet in this epoch, and why nothing must be signed: it does not continue what
 * was signed last, according to the monitoring database, to the file beside this machine's key, or to a witness. `refusal` is null if it
 * does.
 */
export async function examineInstallation(
  publicKey: Buffer,
): Promise<{ installation: Installation; refusal: string | null }> {
  // Read before the log itself, which another worker may extend meanwhile.
  const kept = (await readSealedHeads([INSTALLATION])).get(INSTALLATION);
  const file = await readSignedHead();
  const filed = file === null ? null : { ...file, root: decodeBase64(file.root) ?? Buffer.alloc(0) };
  await auditPool().query(
    "UPDATE audit_seal_installation SET host = coalesce(host, $1), public_key = $2 WHERE public_key IS NULL",
    [originHost(config().PUBLIC_URL), publicKey],
  );
  const installation = await readInstallation();
  for (const last of [kept, filed]) {
    if (last === undefined || last === null || last.epoch < installation.epoch) continue;
    if (last.epoch === installation.epoch && (await continuesHead(installation, last))) continue;
    return { installation, refusal: REFUSAL };
  }
  return { installation, refusal: await witnessRefusal(installation.epoch) };
}

/** Why signing has to stop: a witness knows another history of this epoch. Null if no witness does. */
async function witnessRefusal(epoch: number): Promise<string | null> {
  const { rows } = await auditPool().query<{ refused: string }>(
    "SELECT refused FROM audit_seal_witnesses WHERE refused_epoch = $1 AND refused IS NOT NULL ORDER BY name LIMIT 1",
    [epoch],
  );
  return rows[0]?.refused ?? null;
}

const REFUSAL =
  "The audit database is older than what was signed, or another one, as after a restore. Run: npm run cli -- audit epoch new --reason TEXT";

/** The installation's log. Without a host and a key until a worker has signed first. */
export async function readInstallation(): Promise<Installation> {
  const { rows } = await auditPool().query<Installation>(
    "SELECT host, public_key, epoch, size::float8 AS size, edge, refused FROM audit_seal_installation",
  );
  if (rows[0] === undefined) throw new Error("the audit database has no sealed log");
  return rows[0];
}

/** The newest signed checkpoint of the installation's log; null before the first. */
export async function newestOfInstallation(): Promise<string | null> {
  const { rows } = await auditPool().query<{ checkpoint: string }>(
    "SELECT checkpoint FROM audit_seal_rounds WHERE checkpoint IS NOT NULL ORDER BY epoch DESC, index DESC LIMIT 1",
  );
  return rows[0]?.checkpoint ?? null;
}

/** Whether the installation's log begins with what this head was signed for. */
export async function continuesHead(installation: InstallationTree, { size, root }: Head): Promise<boolean> {
  // A machine that has signed nothing for so long.
  if (size < installation.size - KEPT_ROUNDS) return true;
  const now = size > installation.size ? null : await rootOf(installation, size);
  return now !== null && Buffer.compare(now, root) === 0;
}

/** The root of the installation's log when it had `size` entries. Null if that is not known. */
async function rootOf({ epoch, size, edge }: InstallationTree, at: number): Promise<Hash | null> {
  if (at === size) return treeOf({ size, edge }).root();
  const { rows } = await auditPool().query<{ edge_before: Buffer }>(
    "SELECT edge_before FROM audit_seal_rounds WHERE epoch = $1 AND index = $2",
    [epoch, at],
  );
  return rows[0] === undefined ? null : treeOf({ size: at, edge: rows[0].edge_before }).root();
}
