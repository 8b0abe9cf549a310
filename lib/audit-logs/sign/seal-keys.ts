import type { KeyObject } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { config, requireSetting } from "@/lib/config";
import { privateKeyOf, publicKeyOf } from "@/lib/sealed-log/ed25519";

/** The files of the keys in DATA_DIR, used unless AUDIT_SEAL_KEY is set: 32 bytes in base64 each. */
export const KEY_FILE = "audit-seal.key";
export const KEY_BEFORE_FILE = "audit-seal-before.key";

/** A key that signs checkpoints. */
export interface SealKey {
  privateKey: KeyObject;
  publicKey: Buffer;
}

/** The keys of this machine: the present one and, while the key is being changed, the one before. */
export interface SealKeys {
  current: SealKey;
  before: SealKey | null;
}

/** The key of a seed of 32 bytes. Throws RangeError for another length. */
export function sealKey(seed: Uint8Array): SealKey {
  const privateKey = privateKeyOf(seed);
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

/** The keys as they are now: those in DATA_DIR can be changed while the worker runs. Throws ConfigError, or if the file is missing. */
export async function readSealKeys(): Promise<SealKeys> {
  const { AUDIT_SEAL_KEY, AUDIT_SEAL_KEY_BEFORE, DATA_DIR } = config();
  if (AUDIT_SEAL_KEY !== undefined) return pair(AUDIT_SEAL_KEY, AUDIT_SEAL_KEY_BEFORE ?? null);
  const current = await readKey(join(DATA_DIR, KEY_FILE));
  return pair(current ?? requireSetting("AUDIT_SEAL_KEY"), await readKey(join(DATA_DIR, KEY_BEFORE_FILE)));
}

/** Deletes the key before the present one in DATA_DIR, which no log needs any more. A key in the environment is left to the operator. */
export async function deleteKeyBefore(): Promise<void> {
  const { AUDIT_SEAL_KEY, DATA_DIR } = config();
  if (AUDIT_SEAL_KEY === undefined) await rm(join(DATA_DIR, KEY_BEFORE_FILE), { force: true });
}

function pair(seed: Uint8Array, seedBefore: Uint8Array | null): SealKeys {
  const [current, before] = [sealKey(seed), seedBefore === null ? null : sealKey(seedBefore)];
  // Equal in the moment in which the file is copied, before the new key replaces it.
  return { current, before: before?.publicKey.equals(current.publicKey) ? null : before };
}

async function readKey(file: string): Promise<Uint8Array | null> {
  try {
    return Buffer.from((await readFile(file, "utf8")).trim(), "base64");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return null;
    throw error;
  }
}
