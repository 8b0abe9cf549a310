import { type Finding, found, mostSevere, type Severity } from "@/lib/certificates/findings";
import { judgeNameConstraints } from "@/lib/certificates/judge/judge-names";
import { identify, type Path, role } from "@/lib/certificates/judge/path";
import type { Defect } from "@/lib/certificates/x509/defects";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** Go rejects negative serial numbers, strict validators such as Python's an empty name of a CA; browsers reject neither. */
const SEVERITIES: Record<Defect["problem"], Severity> = {
  malformed_extension: "critical",
  duplicate_extension: "critical",
  explicit_curve: "critical",
  empty_subject: "warning",
  negative_serial: "warning",
  zero_serial: "info",
  serial_too_long: "info",
};
/** Maximum number of problems in evidence. */
const MAX_LISTED = 20;

/** Serial numbers and names of an anchor do not matter: it is trusted by itself. */
function judgeDefects({ path, end }: Path): Finding | null {
  const anchor = end === "trusted" ? path.at(-1) : undefined;
  const about = path.map((certificate) => {
    const { defects } = certificate;
    const problems =
      certificate === anchor ? defects.filter(({ problem }) => SEVERITIES[problem] === "critical") : defects;
    return { certificate, problems, severity: mostSevere(problems.map(({ problem }) => SEVERITIES[problem])) };
  });
  const worst = mostSevere(about.flatMap(({ severity }) => severity ?? []));
  const invalid = about.find(({ severity }) => severity !== null && severity === worst);
  if (worst === null || invalid === undefined) return null;
  return found("invalid_certificate", worst, {
    ...identify(invalid.certificate),
    problems: invalid.problems.slice(0, MAX_LISTED),
  });
}

function judgeCritical({ path }: Path): Finding | null {
  const unknown = path.find(({ usage }) => usage.unknownCritical.length > 0);
  if (unknown === undefined) return null;
  return found("unknown_critical_extension", "critical", {
    ...identify(unknown),
    role: role(unknown, path),
    extensions: unknown.usage.unknownCritical,
  });
}

/**
 * Whether an issuer is a CA. Intermediates must say so; of an anchor, OpenSSL accepts less: a first-version root has no extension
 * that says so.
 */
function isIssuer({ isCa, usage, x509 }: Certificate, isAnchor: boolean): boolean {
  const { basicConstraints, keyUsages } = usage;
  if (basicConstraints !== null) return basicConstraints.isCa;
  if (!isAnchor) return isCa;
  return keyUsages?.includes("key_cert_sign") ?? (!usage.hasExtensions && x509.subject === x509.issuer);
}

/** Each issuer must be a CA and permit as many CAs below it as there are, without those that issued to their own name. */
function judgeIssuers({ path, end }: Path): Finding[] {
  const issuers = path.slice(1);
  const notCa = issuers.find((issuer) => !isIssuer(issuer, end === "trusted" && issuer === path.at(-1)));
  const below = (issuer: Certificate) =>
    issuers.slice(0, issuers.indexOf(issuer)).filter(({ subject, issuer: name }) => subject !== name).length;
  const short = issuers.find((issuer) => below(issuer) > (issuer.usage.basicConstraints?.pathLength ?? Infinity));
  const findings = [
    notCa ? found("issuer_not_ca", "critical", identify(notCa)) : null,
    short
      ? found("path_too_long", "critical", {
          ...identify(short),
          path_length: short.usage.basicConstraints?.pathLength ?? null,
          intermediates: below(short),
        })
      : null,
  ];
  return findings.filter((finding) => finding !== null);
}

/** Whether the certificates of a path follow the rules for certificates, and the limits of their issuers. */
export function judgeRules(path: Path): Finding[] {
  const findings = [judgeNameConstraints(path), judgeCritical(path), judgeDefects(path)];
  return [...judgeIssuers(path), ...findings.filter((finding) => finding !== null)];
}
