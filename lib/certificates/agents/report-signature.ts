import { decodeBase64 } from "@/lib/sealed-log/base64";
import { SIGNATURE_BYTES, verifyEd25519 } from "@/lib/sealed-log/ed25519";
import { FormatError } from "@/lib/sealed-log/format-error";
import { canonicalJson } from "@/lib/sealed-log/jcs";

/** The signed text. The agent's id keeps a report from being replayed as that of another agent with the same key. */
export function signedBytes(agentId: string, report: object): Buffer {
  return Buffer.from(`sealwatch-agent-report\n${agentId}\n${canonicalJson(report)}`);
}

/** Whether a base64 signature of an agent's report is valid under a public key of 32 bytes. */
export function isSignedBy(publicKey: Uint8Array, agentId: string, report: object, signature: string): boolean {
  const bytes = decodeBase64(signature, SIGNATURE_BYTES);
  try {
    return bytes !== null && verifyEd25519(signedBytes(agentId, report), bytes, publicKey);
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
