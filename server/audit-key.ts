import { isKeyChanged, logsToChange } from "@/lib/audit-logs/sign/change-keys";
import { readInstallation } from "@/lib/audit-logs/sign/installation";
import { readSealKeys } from "@/lib/audit-logs/sign/seal-keys";
import { asNextSigner } from "@/lib/audit-logs/sign/signer-lock";
import { config } from "@/lib/config";
import { CliError } from "@/server/cli-error";
import { replaceAuditSealKey } from "@/server/data-dir";

/** How far a change of the key that signs the sealed logs has come. */
export interface KeyChange {
  /** Whether every log is signed by the present key. */
  is_changed: boolean;
  /** Logs that are signed by another key; of these, those that are not signed at all, because signing is refused. */
  waiting: number;
  refused: number;
}

/** How far the change has come. Throws ConfigError on a machine without the key. */
export async function auditKeyState(): Promise<KeyChange> {
  const { publicKey } = (await readSealKeys()).current;
  const waiting = await logsToChange(publicKey);
  return {
    is_changed: await isKeyChanged(publicKey),
    waiting: waiting.length,
    refused: waiting.filter(({ refused }) => refused).length,
  };
}

/**
 * Replaces the key in DATA_DIR; the worker changes the logs. While a change is under way, begins no other. Throws CliError if the key
 * is in the environment, or does not sign the logs.
 */
export function rotateAuditKey(): Promise<KeyChange> {
  const { AUDIT_SEAL_KEY, DATA_DIR } = config();
  if (AUDIT_SEAL_KEY !== undefined) throw new CliError(IN_ENVIRONMENT);
  // Between rounds, so that no worker signs with keys that it read before.
  return asNextSigner(async () => {
    const [{ current, before }, { public_key }] = await Promise.all([readSealKeys(), readInstallation()]);
    const isOurs = [current, before].some((key) => key !== null && (public_key?.equals(key.publicKey) ?? true));
    if (!isOurs) throw new CliError("The key in DATA_DIR does not sign the sealed logs.");
    replaceAuditSealKey(DATA_DIR);
    return auditKeyState();
  });
}

const IN_ENVIRONMENT = [
  "AUDIT_SEAL_KEY is set in the environment, so change it there, on all machines:",
  "1. Set AUDIT_SEAL_KEY_BEFORE to the current key and AUDIT_SEAL_KEY to a new one (openssl rand -base64 32), and restart Sealwatch.",
  "2. Remove AUDIT_SEAL_KEY_BEFORE when the following says that no log needs it: npm run cli -- audit key",
].join("\n");

/** The state in sentences. */
export function keyChangeWords({ is_changed, waiting, refused }: KeyChange): string {
  if (is_changed) return "The current key signs all sealed logs. No log needs another key.";
  const logs = waiting === 1 ? "1 log is" : `${waiting} logs are`;
  const more =
    refused === 0 ? "" : ` Of these, ${refused} cannot be signed until a new epoch begins (audit epoch new).`;
  return `${logs} still signed by the key before, which must be kept. The worker changes them within seconds.${more}`;
}
