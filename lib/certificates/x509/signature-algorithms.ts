import { type Der, readAll, readOid, TAG } from "@/lib/der";

/** A signature algorithm: its common name, and its digest if known. */
export interface SignatureAlgorithm {
  name: string;
  digest: "MD2" | "MD4" | "MD5" | "SHA-1" | "SHA-224" | "SHA-256" | "SHA-384" | "SHA-512" | null;
}

type Digest = SignatureAlgorithm["digest"];

/** OpenSSL's names, which most tools show. RFC 3279, 4055, 5758, 8410, 8702, 9909, NIST. */
const ALGORITHMS: Record<string, [name: string, digest: Digest]> = {
  "1.2.840.113549.1.1.2": ["md2WithRSAEncryption", "MD2"],
  "1.2.840.113549.1.1.3": ["md4WithRSAEncryption", "MD4"],
  "1.2.840.113549.1.1.4": ["md5WithRSAEncryption", "MD5"],
  "1.2.840.113549.1.1.5": ["sha1WithRSAEncryption", "SHA-1"],
  "1.3.14.3.2.29": ["sha1WithRSA", "SHA-1"],
  "1.2.840.113549.1.1.14": ["sha224WithRSAEncryption", "SHA-224"],
  "1.2.840.113549.1.1.11": ["sha256WithRSAEncryption", "SHA-256"],
  "1.2.840.113549.1.1.12": ["sha384WithRSAEncryption", "SHA-384"],
  "1.2.840.113549.1.1.13": ["sha512WithRSAEncryption", "SHA-512"],
  "1.2.840.10040.4.3": ["dsaWithSHA1", "SHA-1"],
  "2.16.840.1.101.3.4.3.1": ["dsa_with_SHA224", "SHA-224"],
  "2.16.840.1.101.3.4.3.2": ["dsa_with_SHA256", "SHA-256"],
  "1.2.840.10045.4.1": ["ecdsa-with-SHA1", "SHA-1"],
  "1.2.840.10045.4.3.1": ["ecdsa-with-SHA224", "SHA-224"],
  "1.2.840.10045.4.3.2": ["ecdsa-with-SHA256", "SHA-256"],
  "1.2.840.10045.4.3.3": ["ecdsa-with-SHA384", "SHA-384"],
  "1.2.840.10045.4.3.4": ["ecdsa-with-SHA512", "SHA-512"],
  "1.3.101.112": ["ED25519", null],
  "1.3.101.113": ["ED448", null],
  "2.16.840.1.101.3.4.3.17": ["ML-DSA-44", null],
  "2.16.840.1.101.3.4.3.18": ["ML-DSA-65", null],
  "2.16.840.1.101.3.4.3.19": ["ML-DSA-87", null],
};

const RSASSA_PSS = "1.2.840.113549.1.1.10";
const DIGESTS: Record<string, Digest> = {
  "1.2.840.113549.2.5": "MD5",
  "1.3.14.3.2.26": "SHA-1",
  "2.16.840.1.101.3.4.2.4": "SHA-224",
  "2.16.840.1.101.3.4.2.1": "SHA-256",
  "2.16.840.1.101.3.4.2.2": "SHA-384",
  "2.16.840.1.101.3.4.2.3": "SHA-512",
};

/** The hash of RSASSA-PSS is in its parameters as `[0]`; the default is SHA-1 (RFC 4055). */
function pssDigest(parameters: Der | undefined): Digest {
  const fields = parameters === undefined ? [] : readAll(parameters.content);
  const hash = fields.find(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED);
  if (hash === undefined) return "SHA-1";
  const [identifier] = readAll(hash.content);
  const [oid] = readAll(identifier?.content ?? new Uint8Array());
  return DIGESTS[readOid(oid?.content ?? new Uint8Array())] ?? null;
}

/** Reads an AlgorithmIdentifier; the name of an unlisted algorithm is its dotted OID. Throws a RangeError on malformed DER. */
export function readSignatureAlgorithm(identifier: Der): SignatureAlgorithm {
  const [algorithm, parameters] = readAll(identifier.content);
  const oid = readOid(algorithm?.content ?? new Uint8Array());
  if (oid === RSASSA_PSS) {
    const digest = pssDigest(parameters);
    return { name: digest === null ? "RSASSA-PSS" : `RSASSA-PSS with ${digest}`, digest };
  }
  const [name, digest] = ALGORITHMS[oid] ?? [oid, null];
  return { name, digest };
}
