import type { KeyObject } from "node:crypto";
import { ConfigError, config } from "@/lib/config";
import { privateKeyOf } from "@/lib/sealed-log/ed25519";
import { FormatError } from "@/lib/sealed-log/format-error";
import { originHost } from "@/lib/sealed-log/origin";
import { COSIGNATURE, parseVkey, type VerifierKey, verifierKeyOf } from "@/lib/sealed-log/vkey";

/** This installation as a witness of others. */
export interface Witness {
  key: KeyObject;
  /** Under which its cosignatures are verified: `<host>/witness`. */
  verifier: VerifierKey;
  /** The logs that it witnesses. */
  logs: readonly VerifierKey[];
}

/** This installation as a witness; null unless WITNESS_KEY and WITNESS_LOGS are set. Throws ConfigError for a log's key with a wrong id. */
export function witness(): Witness | null {
  const { WITNESS_KEY, WITNESS_LOGS, PUBLIC_URL } = config();
  if (WITNESS_KEY === undefined || WITNESS_LOGS === undefined) return null;
  const key = privateKeyOf(WITNESS_KEY);
  const verifier = verifierKeyOf(`${originHost(PUBLIC_URL)}/witness`, key, COSIGNATURE);
  return { key, verifier, logs: WITNESS_LOGS.map(readLog) };
}

function readLog(vkey: string): VerifierKey {
  try {
    return parseVkey(vkey);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new ConfigError(`WITNESS_LOGS lists "${vkey}": ${error.message}`);
  }
}
