import * as z from "zod";
import { finding } from "@/lib/certificates/contract";
import { endpoint, id, order, pageQuery, time } from "@/lib/http/endpoint";
import { authorities, authorityLabels } from "@/lib/subdomains/accounting/authorities";
import { sourceNames } from "@/lib/subdomains/domain-contract";
import { sourceLabels, subdomainStateLabels } from "@/lib/subdomains/labels";
import { labelList } from "@/lib/text/labels";

export const subdomainStates = ["new", "monitored", "ignored"] as const;
export type SubdomainState = (typeof subdomainStates)[number];

const domain = z.strictObject({ id, name: z.string() });
const yesOrNo = z.enum(["true", "false"]);

export const subdomain = z
  .strictObject({
    id,
    name: z.string().describe("Starts with `*.` if a wildcard certificate was issued for one level."),
    domain,
    state: z
      .enum(subdomainStates)
      .describe(`\`monitored\` while an endpoint for this host exists. ${labelList(subdomainStateLabels)}`),
    wildcard: z.boolean(),
    expired_only: z.boolean().describe("Whether all certificates for it have expired and it does not resolve."),
    sources: z.array(z.enum(sourceNames)).describe(`The sources that found it. ${labelList(sourceLabels)}`),
    addresses: z.array(z.string()).describe("The addresses from the last DNS lookup."),
    resolved_at: time.nullable().describe("When it last resolved."),
    certificate_not_after: time.nullable().describe("The latest expiry of all certificates issued for it."),
    endpoint_id: id.nullable().describe("The endpoint for this name."),
    ignored_at: time.nullable(),
    first_seen_at: time,
    last_seen_at: time,
  })
  .meta({ id: "Subdomain" });

export const issuance = z
  .strictObject({
    id,
    domain,
    names: z.array(z.string()).describe("The certificate's names that belong to the domain."),
    issuer: z.string(),
    not_before: time,
    not_after: time,
    revoked: z.boolean().nullable().describe("Null if no source reports it."),
    sources: z.array(z.enum(sourceNames)),
    first_seen_at: time,
    public_key_sha256: z
      .string()
      .nullable()
      .describe("SHA-256 of the public key (SPKI) in hexadecimal; null if no source reports it."),
    authorized_by: z
      .enum(authorities)
      .nullable()
      .describe(`Why it is known to be yours; null if it is not authorized. ${labelList(authorityLabels)}`),
    authorized_name: z
      .string()
      .nullable()
      .describe("The name of the person or key that authorized it; null otherwise."),
    finding: finding
      .nullable()
      .describe(
        "`issuance_unauthorized` if it is not authorized in time, otherwise `issuer_unexpected` if the domain does not expect the issuer.",
      ),
  })
  .meta({ id: "Issuance" });

const reviewResult = z
  .strictObject({
    id,
    status: z.enum(["done", "unchanged", "failed"]),
    endpoint_id: id.nullable().describe("For `monitor`: the endpoint for this name."),
    error: z.string().nullable(),
  })
  .meta({ id: "SubdomainReviewResult" });

export type Subdomain = z.output<typeof subdomain>;
export type Issuance = z.output<typeof issuance>;
export type ReviewResult = z.output<typeof reviewResult>;

export const subdomainSorts = ["newest", "name"] as const;

export const listSubdomains = endpoint({
  method: "GET",
  path: "/subdomains",
  action: "subdomain.list",
  summary: "Names that discovery found, newest first by default.",
  query: z.strictObject({
    ...pageQuery,
    domain_id: id.optional(),
    state: z.enum(subdomainStates).optional(),
    source: z.enum(sourceNames).optional().describe("Only names found by this source."),
    wildcard: yesOrNo.optional(),
    expired_only: yesOrNo.optional().describe("`true` for names known only from expired certificates."),
    q: z.string().trim().min(1).max(253).optional().describe("Text in the name."),
    sort: z.enum(subdomainSorts).optional().describe("Defaults to `newest`. `name` sorts `www2` before `www10`."),
    order,
  }),
  data: subdomain,
  list: true,
});

export const getSubdomain = endpoint({
  method: "GET",
  path: "/subdomains/{id}",
  action: "subdomain.get",
  summary: "One name that discovery found.",
  data: subdomain,
});

const reviewActions = ["monitor", "ignore", "restore"] as const;
export type ReviewAction = (typeof reviewActions)[number];

export const reviewSubdomains = endpoint({
  method: "POST",
  path: "/subdomains/bulk",
  action: "subdomain.review",
  summary:
    "Reviews names: `monitor` adds an endpoint for each name, `ignore` hides them, `restore` makes them new again.",
  body: z.strictObject({
    action: z.enum(reviewActions),
    ids: z
      .array(id)
      .min(1, "must have at least one id")
      .max(1000, "must have at most 1000 ids")
      .transform((ids) => [...new Set(ids)]),
  }),
  data: z.strictObject({ results: z.array(reviewResult) }).meta({ id: "SubdomainReview" }),
  errors: ["PLAN_LIMIT_REACHED"],
});

export const listIssuances = endpoint({
  method: "GET",
  path: "/subdomains/issuances",
  action: "issuance.list",
  summary: "Certificates found in certificate transparency, most recently issued first.",
  query: z.strictObject({
    ...pageQuery,
    domain_id: id.optional(),
    unexpected: yesOrNo.optional().describe("`true` for certificates of issuers that the domain does not expect."),
    accounted: yesOrNo.optional().describe("`false` for certificates that nobody accounts for, `true` for all others."),
    current: yesOrNo.optional().describe("`true` for certificates that have not expired."),
  }),
  data: issuance,
  list: true,
});

export const authorizeIssuance = endpoint({
  method: "POST",
  path: "/subdomains/issuances/{id}/authorize",
  action: "issuance.authorize",
  summary: "Authorizes an issued certificate: only this one, or every certificate of its key from now on.",
  body: z.strictObject({
    remember_key: z
      .boolean()
      .default(false)
      .describe("Whether to add its public key to the domain's `authorized_keys`. 409 if no source reports the key."),
  }),
  data: issuance,
  errors: ["CONFLICT"],
});
