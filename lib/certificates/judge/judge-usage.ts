import { type Finding, found } from "@/lib/certificates/findings";
import { identify, type Path, role } from "@/lib/certificates/judge/path";
import type { KeyUsage } from "@/lib/certificates/usage-labels";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** What makes an extended key usage fit for servers. OpenSSL and Firefox do not accept `any`. */
const SERVER_PURPOSES = ["server_auth", "microsoft_sgc", "netscape_sgc"];
const SERVER_KEY_USAGES: readonly KeyUsage[] = ["digital_signature", "key_encipherment", "key_agreement"];
/** Maximum number of purposes in evidence. */
const MAX_LISTED = 20;

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

/** Whether the certificates of a path permit what they are used for: servers, and issuers of what is below them. */
export function judgeUsage(path: Path, signs = true): Finding[] {
  const findings = [judgePurpose(path), judgeKeyUsage(path, signs), judgeLeafOfCa(path)];
  return findings.filter((finding) => finding !== null);
}
