import { type Der, readAll, readOid, TAG } from "@/lib/der";

/** A violation of the rules for certificates (RFC 5280); `extension` is an OID, or null if the problem is elsewhere. */
export interface Defect {
  problem:
    | "malformed_extension"
    | "duplicate_extension"
    | "explicit_curve"
    | "empty_subject"
    | "negative_serial"
    | "zero_serial"
    | "serial_too_long";
  extension: string | null;
}

const EC_PUBLIC_KEY = "1.2.840.10045.2.1";
const MAX_SERIAL_BYTES = 20;

/** Whether an elliptic curve is given by its parameters instead of its name, so that it may be any. */
function hasExplicitCurve(publicKey: Der): boolean {
  const [algorithm] = readAll(publicKey.content);
  const [oid, parameters] = algorithm === undefined ? [] : readAll(algorithm.content);
  return oid !== undefined && readOid(oid.content) === EC_PUBLIC_KEY && parameters?.tag === TAG.SEQUENCE;
}

function serialProblem({ content }: Der): Defect["problem"] | null {
  const [first = 0] = content;
  if (first >= 0x80) return "negative_serial";
  if (content.every((byte) => byte === 0)) return "zero_serial";
  const bytes = first === 0 ? content.length - 1 : content.length;
  return bytes > MAX_SERIAL_BYTES ? "serial_too_long" : null;
}

/** Problems of the fields outside of extensions. */
export function fieldDefects(fields: { serial: Der; subject: Der; publicKey: Der }, isCa: boolean): Defect[] {
  const serial = serialProblem(fields.serial);
  const problems: Defect["problem"][] = [
    ...(hasExplicitCurve(fields.publicKey) ? ["explicit_curve" as const] : []),
    ...(isCa && fields.subject.content.length === 0 ? ["empty_subject" as const] : []),
    ...(serial === null ? [] : [serial]),
  ];
  return problems.map((problem) => ({ problem, extension: null }));
}
