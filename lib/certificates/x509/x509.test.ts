import "reflect-metadata";
import { rootCertificates } from "node:tls";
import { PemConverter, X509CertificateGenerator } from "@peculiar/x509";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeAuthority, makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import {
  MAX_DER_BYTES,
  MAX_NAMES,
  MAX_NAMES_TOGETHER,
  MAX_URLS,
  MalformedCertificate,
  memoryOf,
  parseCertificate,
  parseReadable,
  parseTogether,
  toPem,
} from "@/lib/certificates/x509/x509";
import { readAll, readDer, readOid } from "@/lib/der";

function derOf(pem: string): Uint8Array {
  return new Uint8Array(PemConverter.decodeFirst(pem));
}

/** A DER element with a content of less than 2^24 bytes. */
function encode(tag: number, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(0x83000000 + content.length);
  return Buffer.concat([Buffer.from([tag]), content.length < 128 ? Buffer.from([content.length]) : length, content]);
}

/** A self-signed certificate with this signature algorithm. */
async function signedWith(algorithm: RsaHashedKeyGenParams | EcKeyGenParams | Algorithm, hash?: string) {
  const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
  const signingAlgorithm = { name: algorithm.name, saltLength: 20, ...(hash && { hash }) };
  const certificate = await X509CertificateGenerator.createSelfSigned({ name: "CN=a", keys, signingAlgorithm });
  return parseCertificate(new Uint8Array(certificate.rawData));
}

function rsa(name: string, hash: string): RsaHashedKeyGenParams {
  return { name, hash, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
}

describe("parseCertificate", () => {
  test("escapes bidirectional controls, which can disguise a name", async () => {
    const { der } = await makeCertificate({ name: "\u202elive.gro", sans: ["good.test"] });
    const escaped = "\\E2\\80\\AElive.gro";
    expect(parseCertificate(der)).toMatchObject({
      subject: `CN=${escaped}`,
      commonName: escaped,
      issuer: `CN=${escaped}`,
    });
  });

  test("reads every field of a leaf", async () => {
    const { intermediate, leaf } = await makeAuthority("Test");
    const made = await leaf({
      sans: ["good.test", "*.good.test", "192.0.2.7", "2001:db8::7"],
      issuerUrl: "http://ca.test/i.der",
    });
    const certificate = parseCertificate(made.der);
    expect(certificate).toMatchObject({
      sha256: certificate.x509.fingerprint256.replaceAll(":", "").toLowerCase(),
      subject: "CN=good.test",
      commonName: "good.test",
      issuer: "CN=Test Intermediate",
      serial: made.certificate.serialNumber,
      sans: [
        { type: "dns", value: "good.test" },
        { type: "dns", value: "*.good.test" },
        { type: "ip", value: "192.0.2.7" },
        { type: "ip", value: "2001:db8::7" },
      ],
      notBefore: made.certificate.notBefore,
      notAfter: made.certificate.notAfter,
      keyType: "ec",
      keyBits: 256,
      signature: { name: "ecdsa-with-SHA256", digest: "SHA-256" },
      isCa: false,
      issuerUrls: ["http://ca.test/i.der"],
    });
    expect(parseCertificate(intermediate.der)).toMatchObject({ isCa: true, sans: [], issuerUrls: [] });
  });

  test("agrees with OpenSSL on every public root", () => {
    for (const pem of rootCertificates) {
      const { x509, ...certificate } = parseCertificate(derOf(pem));
      expect(certificate).toMatchObject({
        sha256: x509.fingerprint256.replaceAll(":", "").toLowerCase(),
        isCa: true,
        keyType: expect.stringMatching(/^(rsa|ec)$/),
        keyBits: expect.toSatisfy((bits: number) => [256, 384, 521, 2048, 4096].includes(bits)),
        signature: { name: expect.stringMatching(/^(sha\d+WithRSAEncryption|ecdsa-with-SHA\d+)$/) },
      });
      expect(certificate.subject).toMatch(/(^|,)(CN|OU)=/);
      expect(toPem(x509.raw)).toBe(x509.toString());
      expect(x509.raw.equals(derOf(pem))).toBe(true);
    }
  });

  test.each([
    ["sha1WithRSAEncryption", "SHA-1", rsa("RSASSA-PKCS1-v1_5", "SHA-1"), "rsa", 2048],
    ["sha384WithRSAEncryption", "SHA-384", rsa("RSASSA-PKCS1-v1_5", "SHA-384"), "rsa", 2048],
    ["sha512WithRSAEncryption", "SHA-512", rsa("RSASSA-PKCS1-v1_5", "SHA-512"), "rsa", 2048],
    ["RSASSA-PSS with SHA-1", "SHA-1", rsa("RSA-PSS", "SHA-1"), null, null],
    ["RSASSA-PSS with SHA-256", "SHA-256", rsa("RSA-PSS", "SHA-256"), null, null],
    ["RSASSA-PSS with SHA-512", "SHA-512", rsa("RSA-PSS", "SHA-512"), null, null],
    ["ecdsa-with-SHA1", "SHA-1", { name: "ECDSA", namedCurve: "P-256" }, "ec", 256],
    ["ecdsa-with-SHA384", "SHA-384", { name: "ECDSA", namedCurve: "P-384" }, "ec", 384],
    ["ecdsa-with-SHA512", "SHA-512", { name: "ECDSA", namedCurve: "P-521" }, "ec", 521],
  ] as const)("signature %s", async (name, digest, algorithm, keyType, keyBits) => {
    const certificate = await signedWith(algorithm, digest);
    expect(certificate.signature).toEqual({ name, digest });
    if (keyType !== null) expect(certificate).toMatchObject({ keyType, keyBits });
  });

  test("Ed25519", async () => {
    expect(await signedWith({ name: "Ed25519" })).toMatchObject({
      signature: { name: "ED25519", digest: null },
      keyType: "ed25519",
      keyBits: 256,
    });
  });

  test("escapes characters that names must not contain, and keeps a comma in a common name", async () => {
    const made = await makeCertificate({ name: "Smith\\, Sons", sans: ["good.test\u0000.evil.test"] });
    expect(parseCertificate(made.der)).toMatchObject({
      commonName: "Smith, Sons",
      subject: "CN=Smith\\, Sons",
      sans: [{ type: "dns", value: "good.test\\x00.evil.test" }],
    });
  });

  test("throws MalformedCertificate for malformed input", async () => {
    const { der } = await makeCertificate({ name: "good.test", sans: ["good.test"] });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => parseCertificate(bytes)).toThrow(MalformedCertificate);
      }),
    );
    const flip = fc.record({ at: fc.nat(der.length - 1), bit: fc.nat(7), cut: fc.nat(der.length) });
    fc.assert(
      fc.property(flip, ({ at, bit, cut }) => {
        const bytes = Uint8Array.from(der).subarray(0, der.length - (cut % 5));
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        try {
          parseCertificate(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedCertificate);
        }
      }),
    );
  });
});

test("parseReadable leaves out what cannot be parsed", async () => {
  const { der } = await makeCertificate({ name: "good.test" });
  expect(parseReadable([Buffer.from("3000", "hex"), der, der.subarray(1)])).toEqual([parseCertificate(der)]);
});

describe("limits", () => {
  const list = (count: number, element: Buffer) => encode(0x30, Buffer.concat(Array<Buffer>(count).fill(element)));
  const extended = async (extensions: { oid: string; hex: string }[]) =>
    (await makeCertificate({ name: "a", extensions })).der;
  const withNames = (count: number) => {
    const names = list(count, encode(0x82, Buffer.alloc(0)));
    return extended([{ oid: "2.5.29.17", hex: names.toString("hex") }]);
  };

  test("a certificate may have so many names, and no more", async () => {
    const most = parseCertificate(await withNames(MAX_NAMES));
    expect(most.sans).toHaveLength(MAX_NAMES);
    expect(memoryOf(most)).toBeGreaterThan(MAX_NAMES * 100);
    const more = await withNames(MAX_NAMES + 1);
    expect(() => parseCertificate(more)).toThrow(new MalformedCertificate("more than 2000 subject alternative names"));
  });

  test("certificates of a chain may have so many names together", async () => {
    const ders = await Promise.all([MAX_NAMES, MAX_NAMES, MAX_NAMES_TOGETHER - 2 * MAX_NAMES, 1].map(withNames));
    expect(parseTogether(ders.slice(0, 3))).toHaveLength(3);
    expect(() => parseTogether(ders)).toThrow("more than 5000 subject alternative names in all certificates");
  });

  test("extensions", async () => {
    // `make` adds two of its own.
    const many = (count: number) =>
      extended(Array.from({ length: count - 2 }, (_, n) => ({ oid: `1.2.3.${n}`, hex: "0500" })));
    expect(parseCertificate(await many(100)).usage.hasExtensions).toBe(true);
    const more = await many(101);
    expect(() => parseCertificate(more)).toThrow(new MalformedCertificate("more than 100 extensions"));
  });

  test("URLs", async () => {
    const url = encode(0x86, Buffer.from("http://a.test/"));
    const access = encode(0x30, Buffer.concat([Buffer.from("06082b06010505073002", "hex"), url]));
    const point = (urls: number) =>
      encode(0x30, encode(0xa0, encode(0xa0, Buffer.concat(Array<Buffer>(urls).fill(url)))));
    const issued = (count: number) =>
      extended([{ oid: "1.3.6.1.5.5.7.1.1", hex: list(count, access).toString("hex") }]);
    const listed = (count: number, urls: number) =>
      extended([{ oid: "2.5.29.31", hex: list(count, point(urls)).toString("hex") }]);
    expect(parseCertificate(await issued(MAX_URLS)).issuerUrls).toHaveLength(MAX_URLS);
    expect(parseCertificate(await listed(MAX_URLS / 2, 2)).crlUrls).toHaveLength(MAX_URLS);
    const refused = await Promise.all([issued(MAX_URLS + 1), listed(MAX_URLS + 1, 0), listed(MAX_URLS / 2, 3)]);
    for (const der of refused) expect(() => parseCertificate(der)).toThrow(/^more than 100 URLs of /);
  });

  test("bytes", async () => {
    const filled = (bytes: number) => extended([{ oid: "1.2.3.4", hex: Buffer.alloc(bytes).toString("hex") }]);
    expect(parseCertificate(await filled(MAX_DER_BYTES - 1024)).commonName).toBe("a");
    const more = await filled(MAX_DER_BYTES);
    expect(() => parseCertificate(more)).toThrow(new MalformedCertificate("more than 100 KiB"));
  });

  test("the cache has a limit of bytes", async () => {
    const first = await withNames(1);
    const kept = parseCertificate(first);
    expect(parseCertificate(first)).toBe(kept);
    const size = memoryOf(parseCertificate(await withNames(MAX_NAMES)));
    for (let n = 0; n * size < 64 * 2 ** 20; n++) parseCertificate(await withNames(MAX_NAMES));
    expect(parseCertificate(first)).not.toBe(kept);
  }, 30_000);
});

describe("DER", () => {
  test("reads short, long and nested lengths, and rejects truncated or indefinite lengths", () => {
    const long = Uint8Array.from([0x04, 0x82, 0x01, 0x00, ...new Uint8Array(256)]);
    expect(readDer(long).element.content).toHaveLength(256);
    expect(readAll(Uint8Array.from([0x02, 1, 5, 0x02, 1, 6])).map(({ content }) => [...content])).toEqual([[5], [6]]);
    for (const bad of [[], [0x30], [0x30, 0x80, 0, 0], [0x04, 2, 1], [0x04, 0x85, 1, 1, 1, 1, 1], [0x1f, 1, 1]]) {
      expect(() => readDer(Uint8Array.from(bad))).toThrow(RangeError);
    }
  });

  test.each([
    ["1.2.840.113549.1.1.11", "2a864886f70d01010b"],
    ["2.5.29.17", "551d11"],
    ["2.16.840.1.101.3.4.2.1", "608648016503040201"],
    ["2.999.3", "883703"],
    ["0.9.2342", "099226"],
  ])("object identifier %s", (dotted, hex) => {
    expect(readOid(Buffer.from(hex, "hex"))).toBe(dotted);
  });
});
