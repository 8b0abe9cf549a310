import { randomBytes, randomInt } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { KEY_BEFORE_FILE, KEY_FILE } from "@/lib/audit-logs/sign/seal-keys";
import { ENCRYPTION_KEY_BEFORE_FILE, ENCRYPTION_KEY_FILE } from "@/lib/encryption";
import { newRsaKey } from "@/server/embedded/new-rsa-key";
import { Refusal } from "@/server/web/refusal";

/** Has the port of the embedded identity provider, which is part of its issuer's URL and so of every person's identity. */
export const IDENTITY_PROVIDER_FILE = "identity-provider.json";

const secretsShape = z.object({
  /** The password of the embedded PostgreSQL's superuser. */
  database_password: z.string(),
  session_secret: z.string(),
  oidc_client_secret: z.string(),
  /** Keys that sign the embedded identity provider's own cookies. */
  oidc_cookie_keys: z.array(z.string()),
  /** The embedded identity provider's private signing key, a JWK. */
  oidc_signing_key: z.record(z.string(), z.unknown()),
  /** The generated password of the embedded identity provider's first account. */
  initial_password: z.string(),
});

export type Secrets = z.output<typeof secretsShape>;

function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Creates DATA_DIR if it is missing. Throws Refusal if it cannot be created or written to. */
export function prepareDataDir(dataDir: string): void {
  try {
    if (!existsSync(dataDir)) {
      mkdirSync(dirname(dataDir), { recursive: true });
      mkdirSync(dataDir);
      // PostgreSQL refuses to run as root. The account that it runs as instead must be able to reach its own folder.
      chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    }
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Refusal(
      `DATA_DIR ${dataDir} cannot be used: it must be a folder that this account can write to (${reason(error)}).`,
    );
  }
}

/**
 * Reads a file of DATA_DIR, or creates it with the result of `create`. The file is never incomplete and never
 * overwritten, even if several processes create it at the same time. Throws Refusal.
 */
export function readOrCreate(dataDir: string, name: string, create: () => string): string {
  const file = join(dataDir, name);
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (reason(error) !== "ENOENT") throw new Refusal(`${file} cannot be read (${reason(error)}).`);
  }
  try {
    writeDraft(dataDir, draft, create());
    linkSync(draft, file);
  } catch (error) {
    if (reason(error) !== "EEXIST") throw new Refusal(`${file} cannot be written (${reason(error)}).`);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, "utf8");
}

/** Writes a new file, durably. Root gives it to the owner of DATA_DIR, whose account may run Sealwatch. */
function writeDraft(dataDir: string, draft: string, text: string): void {
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(descriptor, text);
    const { uid, gid } = statSync(dataDir);
    if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A password that is easy to read and type: no characters that look alike, about 82 bits. */
function readablePassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}

function createSecrets(): Secrets {
  const secret = () => randomBytes(32).toString("base64url");
  return {
    database_password: secret(),
    session_secret: secret(),
    oidc_client_secret: secret(),
    oidc_cookie_keys: [secret()],
    oidc_signing_key: {
      ...newRsaKey().export({ format: "jwk" }),
      use: "sig",
      alg: "RS256",
      kid: secret().slice(0, 12),
    },
    initial_password: readablePassword(),
  };
}

/** The secrets of the embedded services, generated on the first call. Throws Refusal. */
export function loadSecrets(dataDir: string): Secrets {
  const text = readOrCreate(dataDir, "secrets.json", () => `${JSON.stringify(createSecrets(), null, 2)}\n`);
  try {
    return secretsShape.parse(JSON.parse(text));
  } catch {
    throw new Refusal(
      `${join(dataDir, "secrets.json")} is damaged. Restore it, or move the whole of DATA_DIR away to start again without data.`,
    );
  }
}

/** The default of ENCRYPTION_KEY for this installation, generated on the first call. Throws Refusal. */
export function encryptionKey(dataDir: string): string {
  return newKey(dataDir, ENCRYPTION_KEY_FILE);
}

/** The default of AUDIT_SEAL_KEY for this installation, generated on the first call. Throws Refusal. */
export function auditSealKey(dataDir: string): string {
  return newKey(dataDir, KEY_FILE);
}

/** Replaces that key as `replaceKey` does. */
export function replaceAuditSealKey(dataDir: string): boolean {
  return replaceKey(dataDir, KEY_FILE, KEY_BEFORE_FILE, "audit-seal-next.key");
}

/** Replaces the key that encrypts secrets as `replaceKey` does. */
export function replaceEncryptionKey(dataDir: string): boolean {
  return replaceKey(dataDir, ENCRYPTION_KEY_FILE, ENCRYPTION_KEY_BEFORE_FILE, "encryption-next.key");
}

/** Deletes the key before the present one, which nothing needs any more. */
export function deleteEncryptionKeyBefore(dataDir: string): void {
  rmSync(join(dataDir, ENCRYPTION_KEY_BEFORE_FILE), { force: true });
  syncFolder(dataDir);
}

/**
 * Replaces a key, and keeps the one before. Both are there at any moment, and repeated after an interruption, it goes on. Does
 * nothing while the key before is needed. Returns whether the key is replaced. Throws Refusal.
 */
function replaceKey(dataDir: string, name: string, nameBefore: string, nameNext: string): boolean {
  const [file, before] = [join(dataDir, name), join(dataDir, nameBefore)];
  const present = newKey(dataDir, name);
  if (existsSync(before) && readFileSync(before, "utf8").trim() !== present) return false;
  newKey(dataDir, nameNext);
  if (!existsSync(before)) linkSync(file, before);
  syncFolder(dataDir);
  // The time of the file is that of the replacement, even if it was made before an interruption.
  utimesSync(join(dataDir, nameNext), new Date(), new Date());
  renameSync(join(dataDir, nameNext), file);
  syncFolder(dataDir);
  return true;
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** 32 random bytes in base64. */
function newKey(dataDir: string, name: string): string {
  return readOrCreate(dataDir, name, () => `${randomBytes(32).toString("base64")}\n`).trim();
}
