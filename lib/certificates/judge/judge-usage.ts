import { type Finding, found } from "@/lib/certificates/findings";
import { identify, type Path } from "@/lib/certificates/judge/path";
import type { KeyUsage } from "@/lib/certificates/x509/extensions";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** What makes an extended key usage fit for servers. OpenSSL and Firefox do not accept `any`. */
const SERVER_PURPOSES = ["server_auth", "microsoft_sgc", "netscape_sgc"];
const SERVER_KEY_USAGES: readonly KeyUsage[] = ["digital_signature", "key_encipherment", "key_agreement"];
/** Most purposes, extensions and problems in evidence. */
const MAX_LISTED = 20;

function role(certificate: Certificate, path: readonly Certificate[]): "server" | "issuer" {
  return certificate === path[0] ? "server" : "issuer";
}

/** Each certificate that limits its purposes must permit servers: an issuer's limit applies to all below it. */
function judgePurpose({ path }: Path): Finding | null {
  const unfit = path.find(({ usage: { extendedKeyUsages } }) => {
    return extendedKeyUsages !== null && !SERVER_PURPOSES.some((purpose) => extendedKeyUsages.includes(purpose));
  });
  if (unfit === undefined) return null;
  return found("not_for_servers", "critical", {
    ...identify(unfit),
    role: role(unfit, path),
    extended_key_usages: unfit.usage.extendedKeyUsages?.slice(0, MAX_LISTED) ?? [],
  });
}

/** `signs`: whether the handshake needs a signature of the server, as all but those with RSA key exchange do. */
function judgeKeyUsage({ path }: Path, signs: boolean): Finding | null {
  const [leaf, ...issuers] = path;
  const wrong = (certificate: Certificate, severity: "warning" | "critical", required: readonly KeyUsage[]) =>
    found("wrong_key_usage", severity, {
      ...identify(certificate),
      role: role(certificate, path),
      key_usages: certificate.usage.keyUsages ?? [],
      required,
    });
  const lacks = ({ usage: { keyUsages } }: Certificate, accepted: readonly KeyUsage[]) =>
    keyUsages !== null && !accepted.some((usage) => keyUsages.includes(usage));
  if (leaf && lacks(leaf, SERVER_KEY_USAGES)) return wrong(leaf, "critical", SERVER_KEY_USAGES);
  const issuer = issuers.find((each) => lacks(each, ["key_cert_sign"]));
  if (issuer) return wrong(issuer, "critical", ["key_cert_sign"]);
  // Chrome enforces this; OpenSSL does not.
  return leaf && signs && lacks(leaf, ["digital_signature"]) ? wrong(leaf, "warning", ["digital_signature"]) : null;
}

/** Firefox rejects a CA certificate as server certificate, OpenSSL accepts it. A self-signed one is trusted or rejected as itself. */
function judgeLeafOfCa({ path: [leaf, issuer] }: Path): Finding | null {
  if (!leaf?.usage.basicConstraints?.isCa || issuer === undefined) return null;
  return found("ca_as_leaf", "warning", { ...identify(leaf), path_length: leaf.usage.basicConstraints.pathLength });
}

/** Extensions that no client can process: malformed, repeated, or critical and unknown. */
function judgeExtensions({ path }: Path): Finding[] {
  const invalid = path.find(({ usage }) => usage.defects.length > 0);
  const unknown = path.find(({ usage }) => usage.unknownCritical.length > 0);
  const findings = [
    invalid
      ? found("invalid_certificate", "critical", {
          ...identify(invalid),
          problems: invalid.usage.defects.slice(0, MAX_LISTED),
        })
      : null,
    unknown
      ? found("unknown_critical_extension", "critical", {
          ...identify(unknown),
          role: role(unknown, path),
          extensions: unknown.usage.unknownCritical.slice(0, MAX_LISTED),
        })
      : null,
  ];
  return findings.filter((finding) => finding !== null);
}

/** Whether an anchor is a CA, as OpenSSL understands it: a first-version root has no extension that says so. */
function isIssuer({ usage, x509 }: Certificate): boolean {
  const { basicConstraints, keyUsages } = usage;
  if (basicConstraints !== null) return basicConstraints.isCa;
  return keyUsages?.includes("key_cert_sign") ?? (!usage.hasExtensions && x509.subject === x509.issuer);
}

/** Each issuer must be a CA and permit as many CAs below it as there are, without those that issued to their own name. */
function judgeIssuers({ path }: Path): Finding[] {
  const issuers = path.slice(1);
  const notCa = issuers.find((issuer) => !isIssuer(issuer));
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

/** Whether the certificates of a path permit what they are used for: servers, and issuers of what is below them. */
export function judgeUsage(path: Path, signs = true): Finding[] {
  const findings = [judgePurpose(path), judgeKeyUsage(path, signs), judgeLeafOfCa(path)];
  return [...findings.filter((finding) => finding !== null), ...judgeExtensions(path), ...judgeIssuers(path)];
}
