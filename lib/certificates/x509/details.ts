import { readExtensions } from "@/lib/certificates/x509/extensions";
import { type Certificate, MalformedCertificate } from "@/lib/certificates/x509/x509";
import { readAll, readDer, readOid, TAG } from "@/lib/der";

/** A signed certificate timestamp (RFC 6962, 3.2): a log's promise to publish the certificate. */
interface SignedTimestamp {
  /** The log's id, SHA-256 of its key, in base64 as in lists of logs. */
  logId: string;
  loggedAt: Date;
}

/** Extensions that identify a certificate and its rules, rather than limit its use. Empty or null if absent or malformed. */
export interface Details {
  /** Names or dotted OIDs. */
  policies: string[];
  timestamps: SignedTimestamp[];
  /** Lower-case hexadecimal, likewise `authorityKeyId`. */
  subjectKeyId: string | null;
  authorityKeyId: string | null;
}

/** Names of certificate policies (CA/Browser Forum, Baseline Requirements 7.1.6.1); others are shown as dotted OIDs. */
const POLICIES: Record<string, string> = {
  "2.5.29.32.0": "any",
  "2.23.140.1.1": "extended_validation",
  "2.23.140.1.2.1": "domain_validated",
  "2.23.140.1.2.2": "organization_validated",
  "2.23.140.1.2.3": "individual_validated",
};

const OID = {
  SUBJECT_KEY_ID: "2.5.29.14",
  POLICIES: "2.5.29.32",
  AUTHORITY_KEY_ID: "2.5.29.35",
  TIMESTAMPS: "1.3.6.1.4.1.11129.2.4.2",
} as const;

/** Maximum number of policies and timestamps to read. */
const MAX_LISTED = 20;
/** Key identifiers are digests; longer ones are not shown. */
const MAX_KEY_ID_BYTES = 64;
/** Version, log id and time of a timestamp. */
const TIMESTAMP_BYTES = 41;
/** The last moment that a Date can represent is later. */
const MAX_MS = 8_640_000_000_000_000n;

function readPolicies(value: Uint8Array): string[] {
  return readAll(readDer(value).element.content)
    .slice(0, MAX_LISTED)
    .map(({ content }) => {
      const oid = readOid(readDer(content).element.content);
      return POLICIES[oid] ?? oid;
    });
}

/** A list of timestamps in the notation of TLS: each length in two bytes. Only the first version is known. */
function readTimestamps(value: Uint8Array): SignedTimestamp[] {
  const list = Buffer.from(readDer(value).element.content).subarray(2);
  const timestamps: SignedTimestamp[] = [];
  for (let at = 0; at < list.length && timestamps.length < MAX_LISTED; ) {
    const end = at + 2 + list.readUInt16BE(at);
    const each = list.subarray(at + 2, end);
    at = end;
    if (each[0] !== 0 || each.length < TIMESTAMP_BYTES) continue;
    const ms = each.readBigUInt64BE(33);
    if (ms <= MAX_MS)
      timestamps.push({ logId: each.subarray(1, 33).toString("base64"), loggedAt: new Date(Number(ms)) });
  }
  return timestamps;
}

function toKeyId(content: Uint8Array | undefined): string | null {
  if (content === undefined || content.length === 0 || content.length > MAX_KEY_ID_BYTES) return null;
  return Buffer.from(content).toString("hex");
}

function readAuthorityKeyId(value: Uint8Array): string | null {
  const fields = readAll(readDer(value).element.content);
  return toKeyId(fields.find(({ tag }) => tag === TAG.CONTEXT)?.content);
}

/** Reads the extensions that nothing is judged by, so they are not kept with the parsed certificate. Never throws. */
export function readDetails({ x509 }: Pick<Certificate, "x509">): Details {
  const [tbs] = readAll(readDer(x509.raw).element.content);
  if (tbs === undefined) throw new MalformedCertificate("no certificate");
  const values = new Map(readExtensions(tbs).map(({ oid, value }) => [oid, value]));
  const read = <T>(oid: string, parse: (value: Uint8Array) => T, otherwise: T): T => {
    const value = values.get(oid);
    if (value === undefined) return otherwise;
    try {
      return parse(value);
    } catch {
      return otherwise;
    }
  };
  return {
    policies: read(OID.POLICIES, readPolicies, []),
    timestamps: read(OID.TIMESTAMPS, readTimestamps, []),
    subjectKeyId: read(OID.SUBJECT_KEY_ID, (value) => toKeyId(readDer(value).element.content), null),
    authorityKeyId: read(OID.AUTHORITY_KEY_ID, readAuthorityKeyId, null),
  };
}
