import ipaddr from "ipaddr.js";
import { type Finding, found } from "@/lib/certificates/findings";
import { identify, type Path } from "@/lib/certificates/judge/path";
import { type ConstrainedName, isTooMuch, violates } from "@/lib/certificates/x509/name-constraints";
import type { Certificate, SubjectAltName } from "@/lib/certificates/x509/x509";

/** Maximum number of names in evidence. */
const MAX_NAMES = 20;

interface Violation {
  reason: "excluded" | "not_permitted" | "too_many";
  names: string[];
}

/** By the issuer with the constraints, then by the certificate below it: a chain may have very many paths. */
const violations = new WeakMap<Certificate, WeakMap<Certificate, Violation | null>>();

function toConstrained({ type, value }: SubjectAltName): ConstrainedName | null {
  if (type === "ip") return { type, value: Uint8Array.from(ipaddr.parse(value).toByteArray()) };
  return type === "dns" ? { type, value } : null;
}

function compare({ usage: { nameConstraints } }: Certificate, { sans }: Certificate): Violation | null {
  if (nameConstraints === null) return null;
  if (isTooMuch(nameConstraints, sans)) return { reason: "too_many", names: [] };
  const refused = sans.flatMap((san) => {
    const name = toConstrained(san);
    const reason = name && violates(nameConstraints, name);
    return reason ? [{ value: san.value, reason }] : [];
  });
  const [first] = refused;
  return first ? { reason: first.reason, names: refused.slice(0, MAX_NAMES).map(({ value }) => value) } : null;
}

function violation(issuer: Certificate, subject: Certificate): Violation | null {
  const known = violations.get(issuer) ?? new WeakMap<Certificate, Violation | null>();
  violations.set(issuer, known);
  const found = known.get(subject);
  const verdict = found === undefined ? compare(issuer, subject) : found;
  known.set(subject, verdict);
  return verdict;
}

/** Each certificate's names must be permitted by all issuers above it, except those of a CA that issued to its own name. */
export function judgeNameConstraints({ path }: Path): Finding | null {
  for (const [at, issuer] of path.entries()) {
    if (issuer.usage.nameConstraints === null) continue;
    for (const [below, subject] of path.slice(0, at).entries()) {
      if (below > 0 && subject.subject === subject.issuer) continue;
      const refused = violation(issuer, subject);
      if (refused === null) continue;
      return found("name_not_permitted", "critical", {
        ...identify(subject),
        constrained_by: identify(issuer),
        ...refused,
      });
    }
  }
  return null;
}
