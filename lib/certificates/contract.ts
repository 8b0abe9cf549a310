import { z } from "zod";
import { caaOfName } from "@/lib/certificates/caa-contract";
import { endpointStatusLabels, findingLabels } from "@/lib/certificates/finding-labels";
import { findingCodes, severities } from "@/lib/certificates/findings";
import { renewalInfo } from "@/lib/certificates/renewal-contract";
import { owner, renewalChanges, renewalFields } from "@/lib/certificates/renewal-fields";
import { tlsScan } from "@/lib/certificates/scan-contract";
import { addressModes, isLocal, protocols, usualPorts } from "@/lib/certificates/targets";
import { extendedKeyUsageLabels, keyUsageLabels, policyLabels } from "@/lib/certificates/usage-labels";
import { endpoint, id, instant, order, pageQuery, time } from "@/lib/http/endpoint";
import { parseAddress, parseHost, parseName } from "@/lib/network/host";
import { labelList } from "@/lib/text/labels";

/** Most severe last; `unreachable`: the last check saw no certificate. */
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

const host = parsed(parseHost).describe(
  "A host name (IDNs are stored as punycode), an IPv4 address or an IPv6 address. Not a URL.",
);
const portRange = "must be a whole number from 1 to 65535";
const port = z.int(portRange).min(1, portRange).max(65_535, portRange);
const sni = parsed(parseName).nullable().describe("The name to send in the handshake; null for the host itself.");

const protocol = z
  .enum(protocols)
  .describe(
    "The protocol: `tls` and `https` start with the TLS handshake; the others negotiate TLS first (STARTTLS or similar).",
  );
const connectTo = parsed((text) => (isLocal(text) ? text : parseAddress(text)))
  .nullable()
  .describe(
    "The address to connect to instead of resolving the host; null to resolve the host. With an agent also what it reads instead of connecting: `file:/path` of a PEM or PKCS #12 file, or `kubernetes:namespace/name` of a TLS secret.",
  );
const addressMode = z
  .enum(addressModes)
  .describe("`one` checks the first address that responds, `all` checks every address.");
const intervalRange = "must be a whole number from 60 to 86400";
const interval = z
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
const tags = z
  .array(tag)
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} entries`)
  .transform((entries) => [...new Set(entries)].sort());
const expectedIssuers = z
  .array(z.string().trim().min(1, "must not be empty").max(300, "must have at most 300 characters"))
  .max(20, "must have at most 20 entries")
  .describe("Expected issuers, by organization, common name or whole name; empty for any.");
const expectedAccounts = z
  .array(z.string().trim().min(1, "must not be empty").max(500, "must have at most 500 characters"))
  .max(20, "must have at most 20 entries")
  .describe(
    "URIs of the accounts at authorities that may issue for its names, as in CAA records (`accounturi`) and persistent validations; empty for any.",
  );
const pins = z
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
const maxLifetime = z
  .int(lifetimeRange)
  .min(1, lifetimeRange)
  .max(10_000, lifetimeRange)
  .nullable()
  .describe("Maximum lifetime of a certificate in days, in addition to the rules for public authorities.");
const trustStore = id
  .nullable()
  .describe("A trust store to trust in addition to the public roots; null to trust only the public roots.");
const reported = z
  .boolean()
  .describe(
    "Whether clients that can reach the endpoint report what it serves. Sealwatch never connects to it, so its host may be in any network.",
  );

const agent = id.nullable().describe("The agent that checks the endpoint; null if Sealwatch does.");

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
      .describe("Subject alternative names; names of types other than DNS name and IP address have a prefix."),
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

/** A certificate with what lists leave out. */
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

export const certificateEndpointDetail = certificateEndpoint
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

export const certificateDetail = certificate
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
  expires_within_days: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(0, "must not be negative")
    .max(3650, "must be at most 3650")
    .optional()
    .describe("Only endpoints whose certificate has expired or expires within this number of days."),
  covered: z
    .enum(["true", "false"])
    .optional()
    .describe(
      "`true` for endpoints that an enabled alert rule covers while a notification channel is enabled, `false` for all others.",
    ),
};
export type EndpointFilters = z.output<z.ZodObject<typeof endpointFilters>>;

export const certificateSorts = ["discovered", "expiry", "name"] as const;

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

export const endpointSorts = ["newest", "urgency", "name", "expiry"] as const;

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
    pem: pemText.describe("The served certificates in PEM, in the order served, starting with the leaf."),
  }),
  data: certificateEndpointDetail,
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
});

export const handInCertificate = endpoint({
  method: "POST",
  path: "/certificates/obtained",
  action: "certificate.hand_in",
  summary:
    "Hands in a certificate that a client has just obtained, as a hook of an ACME client does. It accounts for the certificate in certificate transparency, and endpoints that still serve an older one are found. Handing it in again changes nothing.",
  body: z.strictObject({
    pem: pemText.describe("The certificate in PEM, followed by its issuers, if any, as in `fullchain.pem`."),
  }),
  data: certificateSummary,
});
