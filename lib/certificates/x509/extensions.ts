import { type KeyUsage, keyUsages } from "@/lib/certificates/usage-labels";
import type { Defect } from "@/lib/certificates/x509/defects";
import { type NameConstraints, readNameConstraints } from "@/lib/certificates/x509/name-constraints";
import { type Der, readAll, readDer, readOid, TAG } from "@/lib/der";

/** Names of extended key usages; others are shown as dotted OIDs. */
const EXTENDED_KEY_USAGES: Record<string, string> = {
  "2.5.29.37.0": "any",
  "1.3.6.1.5.5.7.3.1": "server_auth",
  "1.3.6.1.5.5.7.3.2": "client_auth",
  "1.3.6.1.5.5.7.3.3": "code_signing",
  "1.3.6.1.5.5.7.3.4": "email_protection",
  "1.3.6.1.5.5.7.3.8": "time_stamping",
  "1.3.6.1.5.5.7.3.9": "ocsp_signing",
  "1.3.6.1.4.1.311.10.3.3": "microsoft_sgc",
  "2.16.840.1.113730.4.1": "netscape_sgc",
};

const OID = {
  KEY_USAGE: "2.5.29.15",
  BASIC_CONSTRAINTS: "2.5.29.19",
  EXTENDED_KEY_USAGE: "2.5.29.37",
  NAME_CONSTRAINTS: "2.5.29.30",
  TLS_FEATURE: "1.3.6.1.5.5.7.1.24",
} as const;

/** The extensions that OpenSSL processes; others must not be critical. */
const PROCESSED = new Set<string>([
  OID.KEY_USAGE,
  OID.BASIC_CONSTRAINTS,
  OID.EXTENDED_KEY_USAGE,
  OID.NAME_CONSTRAINTS,
  "2.16.840.1.113730.1.1", // Netscape certificate type
  "2.5.29.17", // subject alternative name
  "2.5.29.31", // CRL distribution points
  "2.5.29.32", // certificate policies
  "2.5.29.33", // policy mappings
  "2.5.29.36", // policy constraints
  "2.5.29.54", // inhibit anyPolicy
]);

/** Maximum number of defects and unknown critical extensions to keep: parsed certificates are cached. */
const MAX_LISTED = 20;
/** The TLS extension with which a client asks for a stapled response. */
const STATUS_REQUEST = 5;
/** Maximum number of key purposes to read; more are malformed. */
const MAX_PURPOSES = 100;
/** Usual certificates have about 10. */
const MAX_EXTENSIONS = 100;

/** What a certificate may be used for, according to its extensions. */
export interface Usage {
  /** Certificates of the first version have no extensions. */
  hasExtensions: boolean;
  /** Null if the extension is absent or malformed. */
  keyUsages: readonly KeyUsage[] | null;
  /** Names or dotted OIDs; null if the extension is absent or malformed. */
  extendedKeyUsages: readonly string[] | null;
  /** Null if the extension is absent or malformed. */
  basicConstraints: { isCa: boolean; pathLength: number | null } | null;
  /** Null if the extension is absent or malformed. */
  nameConstraints: NameConstraints | null;
  /** Whether clients may insist on a stapled OCSP response (RFC 7633). */
  mustStaple: boolean;
  /** OIDs of critical extensions that clients do not process and must therefore reject; the first 20. */
  unknownCritical: readonly string[];
  /** The first 20, malformed extensions before duplicate ones. */
  defects: readonly Defect[];
}

interface Extension {
  oid: string;
  isCritical: boolean;
  value: Uint8Array;
}

/** The extensions of a TBSCertificate, in order. Throws a RangeError on malformed DER. */
export function readExtensions(tbs: Der): Extension[] {
  const list = readAll(tbs.content).find(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED + 3);
  const content = list === undefined ? new Uint8Array() : readDer(list.content).element.content;
  const extensions = readAll(content, MAX_EXTENSIONS, "extensions");
  return extensions.map(({ content }) => {
    const fields = readAll(content);
    const critical = fields.find(({ tag }) => tag === TAG.BOOLEAN);
    const value = fields.find(({ tag }) => tag === TAG.OCTET_STRING);
    return {
      oid: readOid(fields[0]?.content ?? new Uint8Array()),
      isCritical: critical?.content.some((byte) => byte !== 0) ?? false,
      value: value?.content ?? new Uint8Array(),
    };
  });
}

/** The content of `value`, which must be one element with this tag. Throws a RangeError. */
function only(value: Uint8Array, tag: number): Uint8Array {
  const { element, rest } = readDer(value);
  if (element.tag !== tag || rest.length > 0) throw new RangeError("unexpected element");
  return element.content;
}

function readKeyUsage(value: Uint8Array): KeyUsage[] {
  const [unused = 8, ...bytes] = only(value, TAG.BIT_STRING);
  if (unused > 7 || bytes.length > 2 || (bytes.length === 0 && unused > 0)) throw new RangeError("no key usage");
  const usages = keyUsages.filter((_, bit) => ((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
  if (usages.length === 0) throw new RangeError("no usage");
  return usages;
}

function readExtendedKeyUsage(value: Uint8Array): string[] {
  const purposes = readAll(only(value, TAG.SEQUENCE), MAX_PURPOSES);
  if (purposes.length === 0) throw new RangeError("no purposes");
  return purposes.map(({ tag, content }) => {
    if (tag !== TAG.OID || content.length === 0 || content.length > 64) throw new RangeError("no purpose");
    const oid = readOid(content);
    return EXTENDED_KEY_USAGES[oid] ?? oid;
  });
}

function readBasicConstraints(value: Uint8Array): { isCa: boolean; pathLength: number | null } {
  const fields = readAll(only(value, TAG.SEQUENCE));
  const [flag] = fields.filter(({ tag }, at) => at === 0 && tag === TAG.BOOLEAN);
  const isCa = flag?.content.some((byte) => byte !== 0) ?? false;
  const [length, ...others] = fields.slice(flag === undefined ? 0 : 1);
  if (others.length > 0) throw new RangeError("unexpected element");
  if (length === undefined) return { isCa, pathLength: null };
  const [first = 0x80] = length.content;
  if (length.tag !== TAG.INTEGER || first >= 0x80) throw new RangeError("no path length");
  // A length of more than three bytes limits nothing.
  const pathLength = length.content.length > 3 ? 2 ** 24 : length.content.reduce((sum, byte) => sum * 256 + byte, 0);
  return { isCa, pathLength };
}

/** Whether the features include status_request. Clients do not reject a malformed list. */
function requiresStaple(extensions: readonly Extension[]): boolean {
  try {
    const value = extensions.find(({ oid }) => oid === OID.TLS_FEATURE)?.value;
    const features = value === undefined ? [] : readAll(only(value, TAG.SEQUENCE));
    return features.some(
      ({ tag, content }) => tag === TAG.INTEGER && content.length === 1 && content[0] === STATUS_REQUEST,
    );
  } catch {
    return false;
  }
}

/** What the extensions permit. Never throws: a malformed extension is a defect. */
export function readUsage(extensions: readonly Extension[]): Usage {
  const malformed: Defect[] = [];
  const read = <T>(oid: string, parse: (value: Uint8Array) => T): T | null => {
    const [first] = extensions.filter((extension) => extension.oid === oid);
    if (first === undefined) return null;
    try {
      return parse(first.value);
    } catch {
      malformed.push({ problem: "malformed_extension", extension: oid });
      return null;
    }
  };
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { oid } of extensions) (seen.has(oid) ? repeated : seen).add(oid);
  const duplicate = [...repeated].map((oid) => ({ problem: "duplicate_extension" as const, extension: oid }));
  const critical = extensions.filter(({ oid, isCritical }) => isCritical && !PROCESSED.has(oid));
  return {
    hasExtensions: extensions.length > 0,
    keyUsages: read(OID.KEY_USAGE, readKeyUsage),
    extendedKeyUsages: read(OID.EXTENDED_KEY_USAGE, readExtendedKeyUsage),
    basicConstraints: read(OID.BASIC_CONSTRAINTS, readBasicConstraints),
    nameConstraints: read(OID.NAME_CONSTRAINTS, readNameConstraints),
    mustStaple: requiresStaple(extensions),
    unknownCritical: [...new Set(critical.map(({ oid }) => oid))].slice(0, MAX_LISTED),
    // Last, because `read` adds to `malformed`.
    defects: [...malformed, ...duplicate].slice(0, MAX_LISTED),
  };
}
