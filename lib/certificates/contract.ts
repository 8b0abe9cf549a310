import { z } from "zod";
import { endpoint, id, pageQuery, time } from "@/lib/api/endpoint";
import { findingCodes, severities } from "@/lib/certificates/findings";
import { parseHost, parseName } from "@/lib/certificates/host";

/** Gravest last; `unreachable` says that no certificate could be seen at the last check. */
export const endpointStatuses = ["pending", "ok", "info", "warning", "critical", "unreachable"] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

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

const host = parsed(parseHost).describe("A host name (IDN is kept as punycode), an IPv4 or an IPv6 address; no URL.");
const portRange = "must be a whole number from 1 to 65535";
const port = z.int(portRange).min(1, portRange).max(65_535, portRange);
const sni = parsed(parseName).nullable().describe("The name to send in the handshake; null for the host itself.");

const severity = z.enum(severities);
const evidence = z.record(z.string(), z.unknown()).describe("What was seen; its fields depend on the code.");

export const finding = z
  .strictObject({ code: z.enum(findingCodes), severity, evidence, opened_at: time })
  .meta({ id: "CertificateFinding" });

export const certificateSummary = z
  .strictObject({
    id,
    subject: z.string().describe("RFC 4514, most specific first."),
    common_name: z.string().nullable(),
    sans: z
      .array(z.string())
      .describe("Subject alternative names; those that are neither DNS name nor address have a prefix."),
    issuer: z.string(),
    serial_number: z.string(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    not_before: time,
    not_after: time,
    days_left: z.int().describe("Whole days until it expires, rounded down; negative once it has."),
    lifetime_left_share: z.number().min(0).max(1).describe("The share of its lifetime that is left."),
    key_type: z.string(),
    key_bits: z.int().nullable(),
    signature_algorithm: z.string(),
    is_ca: z.boolean(),
    first_seen_at: time,
  })
  .meta({ id: "CertificateSummary" });

const target = { id, host: z.string(), port, sni: z.string().nullable() };
const status = z.enum(endpointStatuses).describe("The gravest open finding, or that no certificate could be seen.");

export const certificateEndpoint = z
  .strictObject({
    ...target,
    status,
    reachability: z.strictObject({
      state: z.enum(["unknown", "reachable", "unreachable"]),
      since: time.nullable(),
    }),
    findings: z.array(finding).describe("What is open now, gravest first."),
    certificate: certificateSummary.nullable().describe("What was served when a certificate was last seen."),
    connection: z
      .strictObject({
        address: z.string(),
        protocol: z.string(),
        cipher: z.string(),
        dns_ms: z.number().nullable(),
        connect_ms: z.number().nullable(),
        tls_ms: z.number().nullable(),
      })
      .nullable()
      .describe("The last completed handshake."),
    last_checked_at: time.nullable(),
    next_check_at: time,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "CertificateEndpoint" });

export const certificateEndpointDetail = certificateEndpoint
  .extend({ served_chain: z.array(certificateSummary).describe("In the order it was served.") })
  .meta({ id: "CertificateEndpointDetail" });

export const certificate = certificateSummary
  .extend({
    chain_findings: z
      .array(
        z.strictObject({
          code: z.enum(findingCodes),
          severity,
          endpoint_count: z.int().describe("Endpoints with this finding."),
          evidence: evidence.describe("From one of them."),
        }),
      )
      .describe("What is wrong with how it is served, gravest first."),
    endpoints: z.array(z.strictObject({ ...target, status })).describe("Who serves it now; at most 20."),
    endpoint_count: z.int().describe("How many serve it now."),
  })
  .meta({ id: "Certificate" });

export const certificateDetail = certificate
  .extend({
    pem: z.string(),
    chain: z
      .array(z.strictObject({ ...certificateSummary.shape, pem: z.string() }))
      .describe("The certificates that were last served with it, in that order; itself first."),
  })
  .meta({ id: "CertificateDetail" });

export type Finding = z.output<typeof finding>;
export type CertificateSummary = z.output<typeof certificateSummary>;
export type CertificateEndpoint = z.output<typeof certificateEndpoint>;
export type CertificateEndpointDetail = z.output<typeof certificateEndpointDetail>;
export type Certificate = z.output<typeof certificate>;
export type CertificateDetail = z.output<typeof certificateDetail>;

export const listCertificates = endpoint({
  method: "GET",
  path: "/certificates",
  group: "certificates",
  action: "certificate.list",
  summary: "The certificates that endpoints were seen to serve as their own, most recently discovered first.",
  query: z.strictObject(pageQuery),
  data: certificate,
  list: true,
});

export const getCertificate = endpoint({
  method: "GET",
  path: "/certificates/{id}",
  group: "certificates",
  action: "certificate.get",
  summary: "One certificate with its PEM and the chain it was served with; issuers' certificates too.",
  data: certificateDetail,
});

export const listCertificateEndpoints = endpoint({
  method: "GET",
  path: "/certificates/endpoints",
  group: "certificates",
  action: "certificate_endpoint.list",
  summary: "The endpoints that are watched, newest first.",
  query: z.strictObject(pageQuery),
  data: certificateEndpoint,
  list: true,
});

export const createCertificateEndpoint = endpoint({
  method: "POST",
  path: "/certificates/endpoints",
  group: "certificates",
  action: "certificate_endpoint.create",
  summary: "Watches an endpoint and checks it at once. One that cannot be reached is watched all the same.",
  body: z.strictObject({ host, port: port.default(443), sni: sni.default(null) }),
  data: certificateEndpointDetail,
  status: 201,
});

export const getCertificateEndpoint = endpoint({
  method: "GET",
  path: "/certificates/endpoints/{id}",
  group: "certificates",
  action: "certificate_endpoint.get",
  summary: "One endpoint with the chain it serves.",
  data: certificateEndpointDetail,
});

export const updateCertificateEndpoint = endpoint({
  method: "PUT",
  path: "/certificates/endpoints/{id}",
  group: "certificates",
  action: "certificate_endpoint.update",
  summary: "Changes the fields that are given; the others stay. Another target starts afresh and is checked at once.",
  body: z.strictObject({ host: host.optional(), port: port.optional(), sni: sni.optional() }),
  data: certificateEndpointDetail,
});

export const deleteCertificateEndpoint = endpoint({
  method: "DELETE",
  path: "/certificates/endpoints/{id}",
  group: "certificates",
  action: "certificate_endpoint.delete",
  summary: "Stops watching an endpoint and forgets its findings. The certificates that it served stay known.",
  data: certificateEndpointDetail,
});

export const checkCertificateEndpoint = endpoint({
  method: "POST",
  path: "/certificates/endpoints/{id}/check",
  group: "certificates",
  action: "certificate_endpoint.check",
  summary: "Checks an endpoint now and answers with what was found.",
  data: certificateEndpointDetail,
});
