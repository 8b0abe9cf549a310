import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { pemBlocks } from "@/lib/roots/pem";
import { visible } from "@/lib/text/visible";
import type { ClientCertificate, ShownAuthentication } from "@/lib/uptime/authentication";

const MAX_CERTIFICATES = 10;
const MAX_SUBJECT = 300;

function readCertificates(text: string): X509Certificate[] {
  return pemBlocks(text).map((pem) => new X509Certificate(pem));
}

function readKey(text: string): KeyObject | string {
  if (/ENCRYPTED/.test(text)) return "must not be encrypted with a passphrase";
  try {
    return createPrivateKey(text);
  } catch {
    return "must be a private key in PEM";
  }
}

/** Why the certificates cannot be used; null if they can. */
function certificateFault(text: string): string | null {
  try {
    const { length } = readCertificates(text);
    if (length === 0) return "must be a certificate in PEM";
    return length > MAX_CERTIFICATES ? `must have at most ${MAX_CERTIFICATES} certificates` : null;
  } catch {
    return "has a certificate that cannot be read";
  }
}

/** Why a client certificate cannot be used. An expired one can: its end is shown, and servers decide. */
export function clientCertificateFaults({
  certificate,
  private_key,
}: ClientCertificate): { path: keyof ClientCertificate; message: string }[] {
  const fault = certificateFault(certificate);
  const key = readKey(private_key);
  const faults = [
    ...(fault === null ? [] : [{ path: "certificate" as const, message: fault }]),
    ...(typeof key === "string" ? [{ path: "private_key" as const, message: key }] : []),
  ];
  if (faults.length > 0 || typeof key === "string") return faults;
  const [leaf] = readCertificates(certificate);
  if (!leaf?.checkPrivateKey(key)) {
    return [{ path: "private_key", message: "must belong to the first certificate" }];
  }
  try {
    createSecureContext({ cert: certificate, key: private_key });
    return [];
  } catch (error) {
    const { code = "invalid" } = error as { code?: string };
    return [{ path: "certificate", message: `is refused by OpenSSL: ${code}` }];
  }
}

/** What is shown of a certificate that was accepted. */
export function shownCertificate({ certificate }: ClientCertificate): ShownAuthentication["certificate"] {
  const [leaf] = readCertificates(certificate);
  if (leaf === undefined) return null;
  return {
    subject: visible(leaf.subject.replaceAll("\n", ", ")).slice(0, MAX_SUBJECT),
    sha256: leaf.fingerprint256.replaceAll(":", "").toLowerCase(),
    not_before: new Date(leaf.validFrom).toISOString(),
    not_after: new Date(leaf.validTo).toISOString(),
  };
}
