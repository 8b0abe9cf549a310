import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { KEY_BEFORE_FILE, KEY_FILE } from "@/lib/audit-logs/sign/seal-keys";
import type { Config } from "@/lib/config";
import { ENCRYPTION_KEY_BEFORE_FILE, ENCRYPTION_KEY_FILE } from "@/lib/encryption";
import { IDENTITY_PROVIDER_FILE } from "@/server/data-dir";

/** What a restored installation needs besides its databases: settings and files, while a key is being changed both keys. */
export function keptApart(settings: Config): string[] {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_OTHER, AUDIT_SEAL_KEY, AUDIT_SEAL_KEY_BEFORE } = settings;
  const { DATA_DIR, DATABASE_URL, OIDC_ISSUER } = settings;
  const file = (name: string) => resolve(DATA_DIR, name);
  const ifThere = (name: string) => (existsSync(file(name)) ? [file(name)] : []);
  return [
    ...(ENCRYPTION_KEY === undefined
      ? [file(ENCRYPTION_KEY_FILE), ...ifThere(ENCRYPTION_KEY_BEFORE_FILE)]
      : ["ENCRYPTION_KEY", ...(ENCRYPTION_KEY_OTHER === undefined ? [] : ["ENCRYPTION_KEY_OTHER"])]),
    ...(AUDIT_SEAL_KEY === undefined
      ? [file(KEY_FILE), ...ifThere(KEY_BEFORE_FILE)]
      : ["AUDIT_SEAL_KEY", ...(AUDIT_SEAL_KEY_BEFORE === undefined ? [] : ["AUDIT_SEAL_KEY_BEFORE"])]),
    ...(OIDC_ISSUER === undefined ? [file("accounts.json"), file(IDENTITY_PROVIDER_FILE)] : []),
    ...(DATABASE_URL === undefined ? [file("secrets.json")] : []),
  ];
}

/** The keys of secrets in DATA_DIR by their inodes: the present one and, while it is being changed, the one before. */
export function keysOfSecrets({ ENCRYPTION_KEY, DATA_DIR }: Config): number[] {
  if (ENCRYPTION_KEY !== undefined) return [];
  const files = [ENCRYPTION_KEY_FILE, ENCRYPTION_KEY_BEFORE_FILE].map((name) => resolve(DATA_DIR, name));
  return files.filter((file) => existsSync(file)).map((file) => statSync(file).ino);
}
