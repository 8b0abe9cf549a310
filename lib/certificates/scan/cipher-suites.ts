import { type WeakFamily, weakFamilies } from "@/lib/certificates/scan-contract";

/**
 * Cipher suites before TLS 1.3 by their number at IANA (https://www.iana.org/assignments/tls-parameters), each in one family:
 * an anonymous suite that encrypts nothing is anonymous. Single DES counts as 3DES.
 */
export const WEAK_SUITES: Record<WeakFamily, readonly number[]> = {
  anonymous: [
    ...[0x17, 0x18, 0x19, 0x1a, 0x1b, 0x34, 0x3a, 0x46, 0x6c, 0x6d, 0x89, 0xa6, 0xa7, 0xbf, 0xc5],
    ...[0xc015, 0xc016, 0xc017, 0xc018, 0xc019],
  ],
  null: [0x01, 0x02, 0x3b, 0xc006, 0xc010],
  export: [0x03, 0x06, 0x08, 0x0b, 0x0e, 0x11, 0x14],
  rc4: [0x04, 0x05, 0xc007, 0xc011],
  triple_des: [0x09, 0x0a, 0x0c, 0x0d, 0x0f, 0x10, 0x12, 0x13, 0x15, 0x16, 0xc008, 0xc012],
};

/** With authenticated encryption (GCM, CCM, ChaCha20-Poly1305): those that exchange keys for one connection, and the others. */
const FORWARD_SECRET_AEAD = [
  ...[0xc02b, 0xc02c, 0xc02f, 0xc030, 0xcca8, 0xcca9, 0xccaa, 0x9e, 0x9f, 0xa2, 0xa3],
  ...[0xc0ac, 0xc0ad, 0xc0ae, 0xc0af, 0xc09e, 0xc09f],
];
const STATIC_AEAD = [0x9c, 0x9d, 0xc09c, 0xc09d];
const FORWARD_SECRET_CBC = [
  ...[0xc009, 0xc00a, 0xc013, 0xc014, 0xc023, 0xc024, 0xc027, 0xc028],
  ...[0x33, 0x39, 0x32, 0x38, 0x67, 0x6b, 0x45, 0x88],
];
const STATIC_CBC = [0x2f, 0x35, 0x3c, 0x3d, 0x41, 0x84];

/** Suites with forward secrecy: the key of the certificate does not decrypt what was recorded before. */
export const FORWARD_SECRET_SUITES = [...FORWARD_SECRET_AEAD, ...FORWARD_SECRET_CBC];
/** Suites with authenticated encryption. */
export const AEAD_SUITES = [...FORWARD_SECRET_AEAD, ...STATIC_AEAD];
/** Every suite before TLS 1.3 that a scan looks for. */
export const ALL_SUITES = [
  ...[...FORWARD_SECRET_AEAD, ...STATIC_AEAD, ...FORWARD_SECRET_CBC, ...STATIC_CBC],
  ...weakFamilies.flatMap((family) => WEAK_SUITES[family]),
];
/** The suites of TLS 1.3, all with forward secrecy and authenticated encryption. */
export const TLS13_SUITES = [0x1301, 0x1302, 0x1303];
