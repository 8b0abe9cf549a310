import { DAY_MS } from "@/lib/time/units";
import "reflect-metadata";
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
  X509CrlGenerator,
  type X509CrlReason,
} from "@peculiar/x509";

type KeyKind = "P-256" | "RSA-1024" | "RSA-2048";
type Digest = "SHA-1" | "SHA-256" | "SHA-384";

/** A generated certificate with its key. */
export interface TestCertificate {
  name: string;
  keys: CryptoKeyPair;
  certificate: X509Certificate;
  pem: string;
  der: Buffer;
  keyPem: string;
}

export interface CertificateOptions {
  /** The common name. */
  name: string;
  /** The issuer; by default the certificate is self-signed. */
  issuer?: TestCertificate;
  /** Null for no extension that says whether it is one. */
  ca?: boolean | null;
  /** Subject alternative names, which may be addresses. If unset, the extension is missing. */
  sans?: string[];
  /** Days from now; negative for the past. */
  fromDays?: number;
  untilDays?: number;
  key?: KeyKind;
  digest?: Digest;
  /** The address of the issuer's certificate. */
  issuerUrl?: string;
  /** The addresses of revocation lists. */
  crlUrls?: string[];
  /** The address of the OCSP responder. */
  ocspUrl?: string;
  /** The serial number in hexadecimal; by default a random one. */
  serial?: string;
  /** Of a CA: the maximum number of intermediates below it. */
  pathLength?: number;
  /** By default what its role needs; null for no such extension. */
  keyUsages?: KeyUsageFlags | null;
  /** Extended key usages, as OIDs. */
  purposes?: string[];
  /** Further extensions, with their value in hexadecimal. */
  extensions?: { oid: string; critical?: boolean; hex: string }[];
  /** The key of a previous certificate to reuse. */
  keysOf?: TestCertificate;
}

function algorithmOf(kind: KeyKind, digest: Digest) {
  if (kind === "P-256") return { name: "ECDSA", namedCurve: "P-256", hash: digest };
  const modulusLength = kind === "RSA-1024" ? 1024 : 2048;
  return { name: "RSASSA-PKCS1-v1_5", hash: digest, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) };
}

function toPem(label: string, der: ArrayBuffer): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

function extensionsOf({ ca = false, sans, issuerUrl, crlUrls, ocspUrl, ...options }: CertificateOptions): Extension[] {
  const usual = ca ? KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign : KeyUsageFlags.digitalSignature;
  const usage = options.keyUsages === undefined ? usual : options.keyUsages;
  const names = sans?.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ("ip" as const) : ("dns" as const), value }));
  return [
    ...(ca === null ? [] : [new BasicConstraintsExtension(ca, options.pathLength, true)]),
    ...(usage === null ? [] : [new KeyUsagesExtension(usage, true)]),
    ...(options.purposes ? [new ExtendedKeyUsageExtension(options.purposes)] : []),
    ...(options.extensions ?? []).map(
      ({ oid, critical = false, hex }) => new Extension(oid, critical, Buffer.from(hex, "hex")),
    ),
    ...(names ? [new SubjectAlternativeNameExtension(names)] : []),
    ...(issuerUrl || ocspUrl
      ? [
          new AuthorityInfoAccessExtension({
            ...(issuerUrl && { caIssuers: issuerUrl }),
            ...(ocspUrl && { ocsp: ocspUrl }),
          }),
        ]
      : []),
    ...(crlUrls ? [new CRLDistributionPointsExtension(crlUrls)] : []),
  ];
}

/** Generates a key and a certificate; by default 90 days from yesterday, P-256 and SHA-256. */
export async function makeCertificate(options: CertificateOptions): Promise<TestCertificate> {
  const { name, issuer, key = "P-256", digest = "SHA-256", fromDays = -1, untilDays = 89 } = options;
  const algorithm = algorithmOf(key, digest);
  const keys = options.keysOf?.keys ?? (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]));
  const signer = issuer?.keys.privateKey ?? keys.privateKey;
  const certificate = await X509CertificateGenerator.create({
    serialNumber: options.serial ?? Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex"),
    subject: `CN=${name}`,
    issuer: issuer?.certificate.subject ?? `CN=${name}`,
    notBefore: new Date(Date.now() + fromDays * DAY_MS),
    notAfter: new Date(Date.now() + untilDays * DAY_MS),
    publicKey: keys.publicKey,
    signingKey: signer,
    signingAlgorithm: { name: signer.algorithm.name, hash: digest },
    extensions: extensionsOf(options),
  });
  return {
    name,
    keys,
    certificate,
    pem: `${certificate.toString("pem")}\n`,
    der: Buffer.from(certificate.rawData),
    keyPem: toPem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", keys.privateKey)),
  };
}

/** A root, its intermediate (with the given options), and leaves that the intermediate issues. */
export interface Authority {
  root: TestCertificate;
  intermediate: TestCertificate;
  leaf: (options?: Partial<CertificateOptions>) => Promise<TestCertificate>;
}

export async function makeAuthority(name: string, options: Partial<CertificateOptions> = {}): Promise<Authority> {
  const root = await makeCertificate({ name: `${name} Root`, ca: true, untilDays: 3650 });
  const intermediate = await makeCertificate({
    name: `${name} Intermediate`,
    ca: true,
    issuer: root,
    untilDays: 1825,
    ...options,
  });
  return {
    root,
    intermediate,
    leaf: (options) => makeCertificate({ name: "good.test", sans: ["good.test"], issuer: intermediate, ...options }),
  };
}

/** Generates a revocation list (CRL), in DER. */
export async function makeCrl({
  issuer,
  revoked = [],
  fromHours = -1,
  untilHours = 24,
  extensions = [],
}: {
  issuer: TestCertificate;
  revoked?: { made: TestCertificate; reason?: X509CrlReason; at?: Date }[];
  /** Hours from now; negative for the past. */
  fromHours?: number;
  untilHours?: number | null;
  /** Critical extensions: OID and value in hexadecimal. */
  extensions?: [oid: string, hex: string][];
}): Promise<Buffer> {
  const crl = await X509CrlGenerator.create({
    issuer: issuer.certificate.subject,
    thisUpdate: new Date(Date.now() + fromHours * 3_600_000),
    ...(untilHours !== null && { nextUpdate: new Date(Date.now() + untilHours * 3_600_000) }),
    entries: revoked.map(({ made, reason, at = new Date() }) => ({
      serialNumber: made.certificate.serialNumber,
      revocationDate: at,
      ...(reason !== undefined && { reason }),
    })),
    extensions: extensions.map(([oid, hex]) => new Extension(oid, true, Buffer.from(hex, "hex"))),
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
    signingKey: issuer.keys.privateKey,
  });
  return Buffer.from(crl.rawData);
}
