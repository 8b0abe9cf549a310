import * as z from "zod";
import { endpointStatuses } from "@/lib/certificates/endpoint-statuses";
import { findingCodes } from "@/lib/certificates/findings";
import { extendedKeyUsageLabels } from "@/lib/certificates/usage-labels";
import { id, instant, queryNumber } from "@/lib/http/endpoint";

const OID = /^(?=.{3,200}$)[0-2](\.(0|[1-9]\d*))+$/;
const text = z.string().trim().min(1, "must not be empty").max(300, "must have at most 300 characters");

/** Filters for certificates. */
export const certificateFilters = {
  expires_before: instant.optional().describe("Only certificates that expire before this time."),
  expires_after: instant.optional().describe("Only certificates that expire at this time or later."),
  issuer: text.optional().describe("Text in the issuer's name, case-insensitive."),
  key_type: text.optional().describe("`rsa`, `ec`, `ed25519`, …; optionally with a size: `rsa-2048`."),
  name: text.toLowerCase().optional().describe("A host name or address that the certificate covers."),
  usage: z
    .string()
    .refine(
      (usage) => Object.hasOwn(extendedKeyUsageLabels, usage) || OID.test(usage),
      "must be a usage's name or a dotted OID",
    )
    .optional()
    .describe(
      "An extended key usage that the certificate names: `client_auth` finds those for client authentication. A certificate that does not limit its usages names none.",
    ),
  finding: z.enum(findingCodes).optional().describe("Only certificates served by an endpoint with this open finding."),
  sha256: z
    .string()
    .transform((value) => value.replace(/[:\s]/g, "").toLowerCase())
    .pipe(z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 fingerprint: 64 hexadecimal digits"))
    .optional()
    .describe("The fingerprint, with or without colons."),
  unused: z.enum(["true", "false"]).optional().describe("`true` for certificates that no endpoint currently serves."),
};
export type CertificateFilters = z.output<z.ZodObject<typeof certificateFilters>>;

/** Filters for endpoints. */
export const endpointFilters = {
  q: text
    .toLowerCase()
    .optional()
    .describe("Text in the host or the SNI, or the end of a host with its port: `shop.example:8443`."),
  tag: z.string().trim().toLowerCase().max(50).optional(),
  owner: text.optional().describe("Only endpoints whose certificate this owner renews."),
  status: z.enum(endpointStatuses).optional(),
  finding: z.enum(findingCodes).optional().describe("Only endpoints with this open finding."),
  certificate_id: id.optional().describe("Only endpoints that currently serve this certificate."),
  expires_within_days: queryNumber(
    z
      .number("must be a number")
      .int("must be a whole number")
      .min(0, "must not be negative")
      .max(3650, "must be at most 3650"),
  )
    .optional()
    .describe(
      "Only endpoints with a certificate that has expired or expires within this number of days, also one that only a scan found.",
    ),
  covered: z
    .enum(["true", "false"])
    .optional()
    .describe(
      "`true` for endpoints that an enabled alert rule covers while a notification channel is enabled, `false` for all others.",
    ),
};
export type EndpointFilters = z.output<z.ZodObject<typeof endpointFilters>>;
