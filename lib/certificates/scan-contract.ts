import * as z from "zod";
import { id, time } from "@/lib/http/endpoint";

/** TLS versions as OpenSSL names them, the newest first. */
const tlsVersions = ["TLSv1.3", "TLSv1.2", "TLSv1.1", "TLSv1", "SSLv3"] as const;
export type TlsVersion = (typeof tlsVersions)[number];

/** Families of cipher suites that no server should accept, the worst first. */
export const weakFamilies = ["anonymous", "null", "export", "rc4", "triple_des"] as const;
export type WeakFamily = (typeof weakFamilies)[number];

/** What a server accepts, as the last scan found. */
export const tlsScan = z
  .strictObject({
    at: time,
    address: z.string(),
    protocols: z.array(z.enum(tlsVersions)).describe("TLS versions that it accepts, newest first."),
    weak_ciphers: z
      .array(z.enum(weakFamilies))
      .describe("Families of weak ciphers that it accepts. `triple_des` includes single DES."),
    forward_secrecy: z
      .boolean()
      .describe("Whether it accepts ciphers with forward secrecy: the certificate's key does not decrypt recordings."),
    authenticated_encryption: z
      .boolean()
      .describe("Whether it accepts ciphers with authenticated encryption, not only in CBC mode."),
    post_quantum: z.boolean().describe("Whether it accepts the key exchange X25519MLKEM768."),
    certificates: z
      .array(z.strictObject({ id, sha256: z.string(), key_type: z.string(), not_after: time }))
      .describe("The certificates of its handshakes: one per key type, more if it alternates."),
  })
  .meta({ id: "TlsScan" });
export type TlsScan = z.output<typeof tlsScan>;

/** A stored scan, without the parts that are not shown. */
export const storedScan = z.object({ shown: tlsScan }).nullable();
