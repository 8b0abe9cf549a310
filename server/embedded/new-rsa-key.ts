import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";

/**
 * Generates a private RSA key of 2048 bits. Generated and read back as PEM: exporting a key object that `generateKeyPair` returned
 * hangs forever if the garbage collection frees its generator meanwhile, as both take the key's lock (seen with Node.js 20).
 */
export function newRsaKey(): KeyObject {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return createPrivateKey(privateKey);
}
