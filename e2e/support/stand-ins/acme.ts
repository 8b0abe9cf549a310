import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CertificateOptions } from "@/e2e/support/stand-ins/test-certificates";
import { acmeDirectories } from "@/lib/certificates/renewal-info/directories";

/** The name of the authority for whose certificates the directory answers, and the identifier of its key. */
export const ACME_AUTHORITY = "Small ACME";
const ISSUER = `${ACME_AUTHORITY} Intermediate`;
const KEY_ID = "69885b6b87464041e1b37b847ba0ae2cde01c8d4";

/** An answer about one certificate, by its identifier (RFC 9773, 4.1). */
export interface AcmeAnswer {
  window?: { start: string; end: string };
  explanationURL?: string;
  retryAfter?: string;
  /** Instead of a window. */
  raw?: { status: number; body: string; retryAfter?: string };
  hangs?: boolean;
}

/** Options of a certificate with renewal information, and its identifier in requests to the authority (RFC 9773, 4.1). */
export function acmeCertificate(): { certId: string; overrides: Partial<CertificateOptions> } {
  // Positive, so that its encoding has no leading zero.
  const serial = `7f${randomBytes(7).toString("hex")}`;
  const certId = [KEY_ID, serial].map((hex) => Buffer.from(hex, "hex").toString("base64url")).join(".");
  return { certId, overrides: { serial, extensions: [{ oid: "2.5.29.35", hex: `30168014${KEY_ID}` }] } };
}

const DIRECTORY = "/acme/directory";
const RENEWAL_INFO = "/acme/renewal-info/";

/** The setting that leads to the directory at `url` and to no other: tests send no request outside of the machine. */
export function acmeSetting(url: string): string {
  const others = acmeDirectories.flatMap(({ organizations }) => organizations.map((name) => `${name}=`));
  return [`${ISSUER}=${url}${DIRECTORY}`, ...others].join(";");
}

/** Answers as an ACME server's directory and renewal information; returns false for other requests. */
export function answerAcme(
  answers: ReadonlyMap<string, AcmeAnswer>,
  { url = "", headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const json = (status: number, body: unknown, more: Record<string, string> = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(body));
  if (url === DIRECTORY) {
    json(200, {
      newNonce: `http://${headers.host}/acme/nonce`,
      renewalInfo: `http://${headers.host}/acme/renewal-info`,
    });
    return true;
  }
  if (!url.startsWith(RENEWAL_INFO)) return false;
  const answer = answers.get(url.slice(RENEWAL_INFO.length));
  if (answer?.hangs) return true;
  const waiting = (retryAfter?: string) => ({ ...(retryAfter && { "retry-after": retryAfter }) });
  if (answer?.raw) response.writeHead(answer.raw.status, waiting(answer.raw.retryAfter)).end(answer.raw.body);
  else if (answer?.window === undefined) json(404, { type: "urn:ietf:params:acme:error:malformed" });
  else {
    const { window, explanationURL, retryAfter } = answer;
    json(200, { suggestedWindow: window, explanationURL }, waiting(retryAfter));
  }
  return true;
}
