import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { encodeBase64 } from "@/lib/sealed-log/base64";

/** Bytes of a public key, of a private key's seed, and of a signature. */
export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** The PKCS #8 prefix of a seed of 32 bytes (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** The private key of a seed of 32 random bytes (RFC 8032). Throws RangeError for another length. */
export function privateKeyOf(seed: Uint8Array): KeyObject {
  if (seed.length !== KEY_BYTES) throw new RangeError(`an Ed25519 seed has ${KEY_BYTES} bytes`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}

/** The 32 bytes of the public key that belongs to a private key. */
export function publicKeyOf(key: KeyObject): Buffer {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  return Buffer.from(x ?? "", "base64url");
}

export function signEd25519(message: Uint8Array, key: KeyObject): Buffer {
  return sign(null, message, key);
}

/** Whether a signature of 64 bytes over `message` is valid under a public key of 32 bytes. */
export function verifyEd25519(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || publicKey.length !== KEY_BYTES) return false;
  const x = encodeBase64(publicKey).replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
  return verify(null, message, createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }), signature);
}
