/** A root, and the time after which certificates that it issued are not trusted; null for never. */
export interface Root {
  pem: string;
  distrustAfter: Date | null;
}

/** An object of a `certdata.txt`: its attributes by name, as text or bytes. */
type CertdataObject = ReadonlyMap<string, string | Buffer>;

const TRUSTED = new Set(["CKT_NSS_TRUSTED_DELEGATOR", "CKT_TRUST_ANCHOR"]);
/** The present names, and those of PKCS #11 3.2, to which NSS moves. */
const CLASSES_OF_TRUST = new Set(["CKO_NSS_TRUST", "CKO_TRUST"]);
const TRUST_OF_SERVERS = ["CKA_TRUST_SERVER_AUTH", "CKA_PKCS_TRUST_SERVER_AUTH"];

/** Whether a text is Mozilla's `certdata.txt` rather than PEM. */
export function isCertdata(text: string): boolean {
  return /^CKA_CLASS CK_OBJECT_CLASS /m.test(text);
}

/** The bytes of lines such as `\060\202`. */
function readOctal(lines: readonly string[]): Buffer {
  const octals = lines.join("").match(/\\[0-7]{3}/g) ?? [];
  return Buffer.from(octals.map((octal) => Number.parseInt(octal.slice(1), 8) & 0xff));
}

function readObjects(text: string): CertdataObject[] {
  const objects: Map<string, string | Buffer>[] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, name = "", type = "", value = ""] = /^(CKA_\w+) (\w+) ?(.*)$/.exec(lines[at] ?? "") ?? [];
    if (name === "") continue;
    if (name === "CKA_CLASS") objects.push(new Map());
    if (type !== "MULTILINE_OCTAL") {
      objects.at(-1)?.set(name, value.trim());
      continue;
    }
    const end = lines.indexOf("END", at);
    if (end < 0) break;
    objects.at(-1)?.set(name, readOctal(lines.slice(at + 1, end)));
    at = end;
  }
  return objects;
}

/** Issuer and serial number, by which an object says which certificate its trust is about. */
function keyOf(object: CertdataObject): string {
  return ["CKA_ISSUER", "CKA_SERIAL_NUMBER"]
    .map((name) => Buffer.from(object.get(name) ?? "").toString("hex"))
    .join(" ");
}

/** `260415235959Z`; null for another value than a time. */
function readTime(value: string | Buffer | undefined): Date | null {
  const [, year, ...rest] = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(value?.toString("latin1") ?? "") ?? [];
  const [month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = rest.map(Number);
  return year === undefined ? null : new Date(Date.UTC(2000 + Number(year), month - 1, day, hours, minutes, seconds));
}

function toPem(der: Buffer): string {
  const lines = der.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----`;
}

/** The roots in Mozilla's `certdata.txt` (NSS) that are trusted for servers, with `CKA_NSS_SERVER_DISTRUST_AFTER`. */
export function parseCertdata(text: string): Root[] {
  const objects = readObjects(text);
  const trusted = new Set(
    objects
      .filter((object) => CLASSES_OF_TRUST.has(String(object.get("CKA_CLASS")).split(" ").at(-1) ?? ""))
      .filter((object) => TRUST_OF_SERVERS.some((name) => TRUSTED.has(String(object.get(name)))))
      .map(keyOf),
  );
  return objects.flatMap((object): Root[] => {
    const der = object.get("CKA_VALUE");
    if (!Buffer.isBuffer(der) || !trusted.has(keyOf(object))) return [];
    return [{ pem: toPem(der), distrustAfter: readTime(object.get("CKA_NSS_SERVER_DISTRUST_AFTER")) }];
  });
}
