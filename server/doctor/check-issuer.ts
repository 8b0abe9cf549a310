import * as z from "zod";
import { withoutSlash } from "@/lib/auth/issuer";
import { config } from "@/lib/config";
import { discoveryUrl } from "@/lib/sign-in/options";
import { type Finding, failed, ok, skipped, warning } from "@/server/doctor/check";

export const ISSUER_CHECK = "identity provider";
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_000_000;

const url = z.url({ protocol: /^https?$/ });
/** The metadata that the sign-in uses (OpenID Connect Discovery 1.0, 3). */
const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: url,
  token_endpoint: url,
  jwks_uri: url,
  response_types_supported: z.array(z.string()).optional(),
});

/** Whether the discovery document is that of the configured issuer and its keys can be read. Throws the network's error. */
export async function checkIssuer(): Promise<Finding[]> {
  const { OIDC_ISSUER, PUBLIC_URL } = config();
  if (!OIDC_ISSUER) return [skipped(ISSUER_CHECK, "the embedded sign-in, for this machine only")];
  const address = discoveryUrl();
  const todo = "Set OIDC_ISSUER to the issuer that its discovery document names.";
  const parsed = metadata.safeParse(await fetchJson(address));
  if (!parsed.success) {
    const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join(".") || "the document"))];
    return [
      failed(ISSUER_CHECK, `${address} is not a discovery document: ${fields.join(", ")} missing or invalid`, todo),
    ];
  }
  const { issuer, jwks_uri, response_types_supported: types } = parsed.data;
  if (withoutSlash(issuer) !== withoutSlash(OIDC_ISSUER))
    return [failed(ISSUER_CHECK, `${address} names the issuer ${issuer.slice(0, 200)}, not ${OIDC_ISSUER}`, todo)];
  if (types !== undefined && !types.includes("code"))
    return [failed(ISSUER_CHECK, "it does not support the authorization code flow", "Enable it at the issuer.")];
  const keys = z.object({ keys: z.array(z.unknown()).min(1) }).safeParse(await fetchJson(jwks_uri));
  if (!keys.success) return [failed(ISSUER_CHECK, `${jwks_uri} has no keys`, "Check the issuer's signing keys.")];
  if (new URL(issuer).protocol === "http:" && new URL(PUBLIC_URL).protocol === "https:")
    return [warning(ISSUER_CHECK, `${issuer} is not encrypted`, "Use an issuer with https.")];
  return [ok(ISSUER_CHECK, `${issuer} has the expected discovery document and keys`)];
}

/** The JSON at a URL of the operator's issuer. Throws if it cannot be read. */
async function fetchJson(address: string): Promise<unknown> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`${address} is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Error(`${address} is not JSON`);
  }
}
