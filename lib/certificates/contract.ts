import * as z from "zod";
import { caaOfName } from "@/lib/certificates/caa-contract";
import {
  addressMode,
  agent,
  connectTo,
  expectedAccounts,
  expectedIssuers,
  host,
  interval,
  maxLifetime,
  pins,
  port,
  protocol,
  reported,
  sni,
  tags,
  trustStore,
} from "@/lib/certificates/endpoint-fields";
import { endpointStatuses } from "@/lib/certificates/endpoint-statuses";
import { certificateFilters, endpointFilters } from "@/lib/certificates/filter-fields";
import { endpointStatusLabels, findingLabels } from "@/lib/certificates/finding-labels";
import { findingCodes, severities } from "@/lib/certificates/findings";
import { renewalInfo } from "@/lib/certificates/renewal-contract";
import { owner, renewalChanges, renewalFields } from "@/lib/certificates/renewal-fields";
import { tlsScan } from "@/lib/certificates/scan-contract";
import { MAX_CHAIN, usualPorts } from "@/lib/certificates/targets";
import { extendedKeyUsageLabels, keyUsageLabels, policyLabels } from "@/lib/certificates/usage-labels";
import { endpoint, id, order, pageQuery, time } from "@/lib/http/endpoint";
import { labelList } from "@/lib/text/labels";

export const pemText = z.string().max(500_000, "must have at most 500000 characters");

const severity = z.enum(severities);
const code = z.enum(findingCodes).describe(labelList(findingLabels));
const evidence = z.record(z.string(), z.unknown()).describe("The evidence; its fields depend on the code.");

export const finding = z
  .strictObject({ code, severity, evidence, opened_at: time, closed_at: time.nullable() })
  .meta({ id: "CertificateFinding" });

const usages = z.array(z.string()).nullable();
const limits =
  "Empty if it does not limit them; null for a short time after an update to the first release with this field.";

export const certificateSummary = z
  .strictObject({
    id,
    subject: z.string().describe("RFC 4514, most specific first."),
    common_name: z.string().nullable(),
    sans: z
      .array(z.string())
      .describe(
        "Subject alternative names; names of types other than DNS name and IP address have a prefix. After 1,000 characters a name is cut.",
      ),
    issuer: z.string(),
    serial_number: z.string(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    not_before: time,
    not_after: time,
    days_left: z.int().describe("Whole days until it expires, rounded down; negative once it has expired."),
    lifetime_left_share: z.number().min(0).max(1).describe("The remaining share of its lifetime."),
    key_type: z.string(),
    key_bits: z.int().nullable(),
    signature_algorithm: z.string(),
    is_ca: z.boolean(),
    public_key_sha256: z
      .string()
      .nullable()
      .describe("SHA-256 of the public key (SPKI) in hexadecimal; certificates with the same key share it."),
    first_seen_at: time,
    added_at: time.nullable().describe("When it was submitted."),
    obtained_at: time
      .nullable()
      .describe("When a client handed it in with `POST /certificates/obtained`, after it had obtained it."),
    key_usages: usages.describe(`What its key may be used for. ${limits} ${labelList(keyUsageLabels)}`),
    extended_key_usages: usages.describe(
      `What it may be used for; usages without a name are dotted OIDs. ${limits} ${labelList(extendedKeyUsageLabels)}`,
    ),
  })
  .meta({ id: "CertificateSummary" });

/** A certificate with the fields that lists omit. */
const certificateWithExtensions = certificateSummary
  .extend({
    extensions: z
      .strictObject({
        path_length: z.int().nullable().describe("Of a CA: the most intermediates below it; null for no limit."),
        must_staple: z.boolean().describe("Whether clients may insist on a stapled OCSP response (RFC 7633)."),
        policies: z
          .array(z.string())
          .describe(`Policies, at most 20; those without a name are dotted OIDs. ${labelList(policyLabels)}`),
        subject_key_id: z.string().nullable().describe("Identifies its key, in hexadecimal."),
        authority_key_id: z.string().nullable().describe("Identifies its issuer's key, in hexadecimal."),
        timestamps: z
          .array(
            z.strictObject({ log_id: z.string().describe("The SHA-256 of the log's key in base64."), logged_at: time }),
          )
          .describe("Embedded signed certificate timestamps (certificate transparency), at most 20."),
      })
      .nullable()
      .describe(
        "Its other extensions; what is absent or malformed is null or empty. Null if it can no longer be parsed.",
      ),
  })
  .meta({ id: "CertificateWithExtensions" });

const target = { id, host: z.string(), port, sni: z.string().nullable() };
const status = z
  .enum(endpointStatuses)
  .describe(`The most severe open finding, or \`unreachable\`. ${labelList(endpointStatusLabels)}`);

export const certificateEndpoint = z
  .strictObject({
    ...target,
    protocol,
    connect_to: z.string().nullable(),
    address_mode: addressMode,
    interval_seconds: interval,
    tags: z.array(z.string()),
    trust_store_id: id.nullable(),
    expected_issuers: z.array(z.string()),
    expected_accounts: z.array(z.string()),
    pins: z.array(z.string()),
    max_lifetime_days: z.int().nullable(),
    ...renewalFields,
    renewal_due_at: time
      .nullable()
      .describe(
        "When the certificate should be renewed: from the start of its authority's window, otherwise once a third of its lifetime is left.",
      ),
    reported,
    agent_id: agent,
    reported_at: time.nullable().describe("When the last report about it was made, by a client or by its agent."),
    status,
    reachability: z.strictObject({
      state: z.enum(["unknown", "reachable", "unreachable"]),
      since: time.nullable(),
    }),
    findings: z.array(finding).describe("Open findings, most severe first."),
    certificate: certificateSummary.nullable().describe("The certificate that was last seen."),
    connection: z
      .strictObject({
        address: z.string(),
        protocol: z.string().describe("TLS version, as OpenSSL names it."),
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

const certificateEndpointDetail = certificateEndpoint
  .extend({
    addresses: z
      .array(
        z.strictObject({
          address: z.string().nullable().describe("Null if the certificate was reported."),
          certificate_id: id.nullable(),
          reason: z.string().nullable().describe("Why no certificate was seen at this address."),
        }),
      )
      .describe("The result for each address at the last check that saw a certificate."),
    served_chain: z.array(certificateWithExtensions).describe("Certificates in the order in which they were served."),
    expected_chain: z
      .array(certificateWithExtensions)
      .describe(
        "Certificates that should be served, leaf first, without the root; empty if no path to a trusted root is known.",
      ),
    install_pem: z
      .string()
      .nullable()
      .describe("The chain to install, as PEM, if the served chain differs from the expected chain."),
    renewal_info: renewalInfo.describe(
      "When the authority suggests to renew its certificate (RFC 9773); null if unknown.",
    ),
    tls_scan: tlsScan
      .nullable()
      .describe("What else the server accepts, found once a day; null before the first scan."),
  })
  .meta({ id: "CertificateEndpointDetail" });

export const certificate = certificateSummary
  .extend({
    chain_findings: z
      .array(
        z.strictObject({
          code,
          severity,
          endpoint_count: z.int().describe("Number of endpoints with this finding."),
          evidence: evidence.describe("Evidence from one of these endpoints."),
        }),
      )
      .describe("Findings about how it is served, most severe first."),
    endpoints: z
      .array(z.strictObject({ ...target, status, owner }))
      .describe("Endpoints that currently serve it, as their last check or TLS scan found, at most 20."),
    endpoint_count: z.int().describe("Number of endpoints that currently serve it."),
  })
  .meta({ id: "Certificate" });

const certificateDetail = certificate
  .extend({
    extensions: certificateWithExtensions.shape.extensions,
    caa: z
      .array(caaOfName)
      .describe("Who may issue for its public names (CAA), at most 50; empty until the records were requested."),
    renewal_info: renewalInfo.describe("When its authority suggests to renew it (RFC 9773); null if unknown."),
    pem: z.string(),
    chain: z
      .array(z.strictObject({ ...certificateWithExtensions.shape, pem: z.string() }))
      .describe("The chain in which it was last served, in that order, starting with this certificate."),
  })
  .meta({ id: "CertificateDetail" });

export type Finding = z.output<typeof finding>;
export type CertificateSummary = z.output<typeof certificateSummary>;
export type CertificateWithExtensions = z.output<typeof certificateWithExtensions>;
export type CertificateEndpoint = z.output<typeof certificateEndpoint>;
export type CertificateEndpointDetail = z.output<typeof certificateEndpointDetail>;
export type Certificate = z.output<typeof certificate>;
export type CertificateDetail = z.output<typeof certificateDetail>;

const certificateSorts = ["discovered", "expiry", "name"] as const;

export const listCertificates = endpoint({
  method: "GET",
  path: "/certificates",
  action: "certificate.list",
  summary: "The leaf certificates that endpoints serve or served, most recently discovered first by default.",
  query: z.strictObject({
    ...pageQuery,
    ...certificateFilters,
    sort: z
      .enum(certificateSorts)
      .default("discovered")
      .describe(
        "`expiry` sorts by expiry, earliest first; `name` by common name, otherwise by the first name covered, with `host2` before `host10`.",
      ),
    order,
  }),
  data: certificate,
  list: true,
});

export const getCertificate = endpoint({
  method: "GET",
  path: "/certificates/{id}",
  action: "certificate.get",
  summary: "One certificate (leaf or issuer) with its PEM and the chain in which it was served.",
  data: certificateDetail,
});

const endpointSorts = ["newest", "urgency", "name", "expiry"] as const;

export const listCertificateEndpoints = endpoint({
  method: "GET",
  path: "/certificates/endpoints",
  action: "certificate_endpoint.list",
  summary: "The monitored endpoints, newest first or by urgency.",
  query: z.strictObject({
    ...pageQuery,
    ...endpointFilters,
    sort: z
      .enum(endpointSorts)
      .default("newest")
      .describe(
        "`urgency` sorts by status, most severe first, then by expiry, earliest first; `name` by host, with `host2` before `host10`.",
      ),
    order,
  }),
  data: certificateEndpoint,
  list: true,
});

export const createCertificateEndpoint = endpoint({
  method: "POST",
  path: "/certificates/endpoints",
  action: "certificate_endpoint.create",
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
  summary: "Adds an endpoint and checks it immediately. An unreachable endpoint is added too.",
  body: z.strictObject({
    host,
    port: port
      .optional()
      .describe(
        `Defaults to the protocol's usual port: ${JSON.stringify(usualPorts).replace(/["{}]/g, "").replace(/[:,]/g, "$& ")}.`,
      ),
    protocol: protocol.default("tls"),
    sni: sni.default(null),
    connect_to: connectTo.default(null),
    address_mode: addressMode.default("one"),
    interval_seconds: interval.default(3600),
    tags: tags.default([]),
    trust_store_id: trustStore
      .optional()
      .describe(
        "A trust store to trust in addition to the public roots; null to trust only the public roots. The organization's default trust store, if any, if omitted.",
      ),
    expected_issuers: expectedIssuers.default([]),
    expected_accounts: expectedAccounts.default([]),
    pins: pins.default([]),
    max_lifetime_days: maxLifetime.default(null),
    owner: renewalFields.owner.default(null),
    renewal_method: renewalFields.renewal_method.default(null),
    renewal_note: renewalFields.renewal_note.default(null),
    renewal_link: renewalFields.renewal_link.default(null),
    reported: reported.default(false),
    agent_id: agent.default(null),
  }),
  data: certificateEndpointDetail,
  status: 201,
});

export const getCertificateEndpoint = endpoint({
  method: "GET",
  path: "/certificates/endpoints/{id}",
  action: "certificate_endpoint.get",
  summary: "One endpoint with the chain it serves.",
  data: certificateEndpointDetail,
});

export const updateCertificateEndpoint = endpoint({
  method: "PUT",
  path: "/certificates/endpoints/{id}",
  action: "certificate_endpoint.update",
  summary:
    "Changes the given fields; the others stay. A new target resets the status. The endpoint is checked immediately.",
  body: z.strictObject({
    host: host.optional(),
    port: port.optional(),
    protocol: protocol.optional(),
    sni: sni.optional(),
    connect_to: connectTo.optional(),
    address_mode: addressMode.optional(),
    interval_seconds: interval.optional(),
    tags: tags.optional(),
    trust_store_id: trustStore.optional(),
    expected_issuers: expectedIssuers.optional(),
    expected_accounts: expectedAccounts.optional(),
    pins: pins.optional(),
    max_lifetime_days: maxLifetime.optional(),
    ...renewalChanges,
    reported: reported.optional(),
    agent_id: agent.optional(),
  }),
  data: certificateEndpointDetail,
  errors: ["CONFLICT"],
});

export const deleteCertificateEndpoint = endpoint({
  method: "DELETE",
  path: "/certificates/endpoints/{id}",
  action: "certificate_endpoint.delete",
  summary: "Deletes an endpoint with its findings. The certificates that it served are kept.",
  data: certificateEndpointDetail,
});

export const checkCertificateEndpoint = endpoint({
  method: "POST",
  path: "/certificates/endpoints/{id}/check",
  action: "certificate_endpoint.check",
  summary: "Checks an endpoint now and returns the result.",
  data: certificateEndpointDetail,
});

export const reportCertificateEndpoint = endpoint({
  method: "POST",
  path: "/certificates/endpoints/{id}/report",
  action: "certificate_endpoint.report",
  summary: "Reports what an endpoint with `reported: true` serves.",
  body: z.strictObject({
    pem: pemText.describe(
      `The served certificates in PEM, at most ${MAX_CHAIN}, in the order served, starting with the leaf.`,
    ),
  }),
  data: certificateEndpointDetail,
  errors: ["CONFLICT"],
});

export const addCertificate = endpoint({
  method: "POST",
  path: "/certificates",
  action: "certificate.add",
  summary: "Adds a certificate that no monitored endpoint serves yet.",
  body: z.strictObject({
    pem: pemText.describe("The certificate in PEM, followed by the certificates to serve with it, if any."),
  }),
  data: certificateDetail,
  status: 201,
  errors: ["PLAN_LIMIT_REACHED"],
});

export const handInCertificate = endpoint({
  method: "POST",
  path: "/certificates/obtained",
  action: "certificate.hand_in",
  errors: ["PLAN_LIMIT_REACHED"],
  summary:
    "Hands in a certificate that a client has just obtained, as a hook of an ACME client does. It accounts for the certificate in certificate transparency, and endpoints that still serve an older one are found. Handing it in again changes nothing.",
  body: z.strictObject({
    pem: pemText.describe("The certificate in PEM, followed by its issuers, if any, as in `fullchain.pem`."),
  }),
  data: certificateSummary,
});
