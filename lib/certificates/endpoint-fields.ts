import * as z from "zod";
import { addressModes, isLocal, MAX_ADDRESSES, protocols } from "@/lib/certificates/targets";
import { id } from "@/lib/http/endpoint";
import { parseAddress, parseHost, parseName } from "@/lib/network/host";

// The fields of an endpoint that callers set.

function parsed(parse: (text: string) => string) {
  return z
    .string()
    .max(300, "must have at most 300 characters")
    .transform((text, context) => {
      try {
        return parse(text);
      } catch (error) {
        context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "does not fit" });
        return z.NEVER;
      }
    });
}

export const host = parsed(parseHost).describe(
  "A host name (IDNs are stored as punycode), an IPv4 address or an IPv6 address. Not a URL.",
);
const portRange = "must be a whole number from 1 to 65535";
export const port = z.int(portRange).min(1, portRange).max(65_535, portRange);
export const sni = parsed(parseName)
  .nullable()
  .describe("The name to send in the handshake; null for the host itself.");

export const protocol = z
  .enum(protocols)
  .describe(
    "The protocol: `tls` and `https` start with the TLS handshake; the others negotiate TLS first (STARTTLS or similar).",
  );
export const connectTo = parsed((text) => (isLocal(text) ? text : parseAddress(text)))
  .nullable()
  .describe(
    "The address to connect to instead of resolving the host; null to resolve the host. With an agent also what it reads instead of connecting: `file:/path` of a PEM or PKCS #12 file, or `kubernetes:namespace/name` of a TLS secret.",
  );
export const addressMode = z
  .enum(addressModes)
  .describe(`\`one\` checks the first address that responds, \`all\` checks every address, up to ${MAX_ADDRESSES}.`);
const intervalRange = "must be a whole number from 60 to 86400";
export const interval = z
  .int(intervalRange)
  .min(60, intervalRange)
  .max(86_400, intervalRange)
  .describe("Seconds between two checks while the endpoint has no problems.");
/** One tag of an endpoint. */
export const tag = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,49}$/u, "must be 1 to 50 letters, digits or . _ : / -");
export const MAX_TAGS = 20;
export const tags = z
  .array(tag)
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .transform((entries) => [...new Set(entries)].sort());
export const expectedIssuers = z
  .array(z.string().trim().min(1, "must not be empty").max(300, "must have at most 300 characters"))
  .max(20, "must have at most 20 entries")
  .describe("Expected issuers, by organization, common name or whole name; empty for any.");
export const expectedAccounts = z
  .array(z.string().trim().min(1, "must not be empty").max(500, "must have at most 500 characters"))
  .max(20, "must have at most 20 entries")
  .describe(
    "URIs of the accounts at authorities that may issue for its names, as in CAA records (`accounturi`) and persistent validations; empty for any.",
  );
export const pins = z
  .array(
    z
      .string()
      .trim()
      .transform((text) => text.replace(/^sha256\//, ""))
      .pipe(z.string().regex(/^[A-Za-z0-9+/]{43}=$/, "must be the SHA-256 of a public key (SPKI) in base64")),
  )
  .max(20, "must have at most 20 entries")
  .describe("SHA-256 of public keys (SPKI) in base64, of which the chain must contain at least one; empty for any.");
const lifetimeRange = "must be a whole number from 1 to 10000";
export const maxLifetime = z
  .int(lifetimeRange)
  .min(1, lifetimeRange)
  .max(10_000, lifetimeRange)
  .nullable()
  .describe("Maximum lifetime of a certificate in days, in addition to the rules for public authorities.");
export const trustStore = id
  .nullable()
  .describe("A trust store to trust in addition to the public roots; null to trust only the public roots.");
export const reported = z
  .boolean()
  .describe(
    "Whether clients that can reach the endpoint report what it serves. Sealwatch never connects to it, so its host may be in any network.",
  );

export const agent = id.nullable().describe("The agent that checks the endpoint; null if Sealwatch does.");
