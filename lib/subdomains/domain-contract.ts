import * as z from "zod";
import { endpoint, id, pageQuery, time } from "@/lib/http/endpoint";
import { parseName } from "@/lib/network/host";
import { sourceLabels, sourceStateLabels } from "@/lib/subdomains/labels";
import { labelList } from "@/lib/text/labels";

/** Minutes from the start of a source's run until a person or key can have it run again. */
export const REST_MINUTES = 15;

/** Sources of names. */
export const sourceNames = ["ct_search", "ct_public_search", "dns"] as const;
export type SourceName = (typeof sourceNames)[number];

const sourceStates = ["never", "running", "ok", "failing"] as const;
export type SourceState = (typeof sourceStates)[number];

const domainName = z
  .string()
  .max(300, "must have at most 300 characters")
  .transform((text, context) => {
    try {
      return parseName(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "does not fit" });
      return z.NEVER;
    }
  })
  .describe(
    "A registrable domain such as example.com, according to the public suffix list. IDNs are stored as punycode.",
  );

const intervalRange = "must be a whole number from 1 to 168";
const graceRange = "must be a whole number from 0 to 720";
const fields = {
  interval_hours: z
    .int(intervalRange)
    .min(1, intervalRange)
    .max(168, intervalRange)
    .describe("Hours between two runs of a source."),
  expected_issuers: z
    .array(z.string().trim().min(1, "must not be empty").max(300, "must have at most 300 characters"))
    .max(20, "must have at most 20 entries")
    .describe("Expected issuers, by organization, common name or whole name; empty for any."),
  unauthorized_after_hours: z
    .int(graceRange)
    .min(0, graceRange)
    .max(720, graceRange)
    .nullable()
    .describe(
      "Hours after which an issued certificate that nobody accounts for is a finding; null for never. Certificates issued earlier than a day before it was set are left alone.",
    ),
  authorized_issuers: z
    .array(z.string().trim().min(1, "must not be empty").max(300, "must have at most 300 characters"))
    .max(20, "must have at most 20 entries")
    .describe(
      "Issuers through which only you get certificates, such as a managed account, by organization, common name or whole name.",
    ),
  authorized_keys: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[0-9a-f]{64}$/, "must be the SHA-256 of a public key (SPKI) in hexadecimal"),
    )
    .max(100, "must have at most 100 entries")
    .transform((keys) => [...new Set(keys)])
    .describe("SHA-256 of public keys (SPKI) in hexadecimal whose certificates are yours."),
  sources: z
    .array(z.enum(sourceNames))
    .min(1, "must have at least one entry")
    .max(20, "must have at most 20 entries")
    .transform((names) => sourceNames.filter((name) => names.includes(name)))
    .describe(`The sources of discovery to use. ${labelList(sourceLabels)}`),
};

export const domainSource = z
  .strictObject({
    name: z.enum(sourceNames).describe(labelList(sourceLabels)),
    state: z.enum(sourceStates).describe(labelList(sourceStateLabels)),
    error: z.string().nullable().describe("Why its last run failed."),
    names: z.int().describe("Number of the domain's names that it found."),
    cursor: z
      .string()
      .nullable()
      .describe("Position up to which the source has been read, in the source's own format."),
    last_started_at: time.nullable(),
    last_success_at: time.nullable(),
    next_run_at: time.nullable().describe("Null until the domain is verified."),
    held_until: time
      .nullable()
      .describe("The source requested no further requests from this installation until this time."),
  })
  .meta({ id: "DomainSource" });

export const domain = z
  .strictObject({
    id,
    name: z.string(),
    proof: z.strictObject({
      record_name: z.string().describe("The name of the TXT record."),
      record_value: z.string().describe("The value it must have."),
      proven_at: time.nullable().describe("When the TXT record was first found; null while discovery has not started."),
      checked_at: time.nullable(),
      error: z.string().nullable().describe("Why the last lookup of the record failed."),
    }),
    ...fields,
    sources: z.array(domainSource),
    names: z.strictObject({ new: z.int(), monitored: z.int(), ignored: z.int() }),
    unexpected_issuances: z.int().describe("Number of valid certificates from unexpected issuers."),
    unauthorized_issuances: z.int().describe("Number of valid certificates with the finding `issuance_unauthorized`."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Domain" });

export type Domain = z.output<typeof domain>;
export type DomainSource = z.output<typeof domainSource>;

export const listDomains = endpoint({
  method: "GET",
  path: "/subdomains/domains",
  action: "domain.list",
  summary: "The domains, newest first, with their verification and the state of each source.",
  query: z.strictObject(pageQuery),
  data: domain,
  list: true,
});

export const createDomain = endpoint({
  method: "POST",
  path: "/subdomains/domains",
  action: "domain.create",
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
  summary: "Adds a registrable domain and returns the TXT record that verifies your ownership.",
  body: z.strictObject({
    name: domainName,
    interval_hours: fields.interval_hours.default(24),
    expected_issuers: fields.expected_issuers.default([]),
    unauthorized_after_hours: fields.unauthorized_after_hours.default(24),
    authorized_issuers: fields.authorized_issuers.default([]),
    authorized_keys: fields.authorized_keys.default([]),
    sources: fields.sources.default([...sourceNames]),
  }),
  data: domain,
  status: 201,
});

export const getDomain = endpoint({
  method: "GET",
  path: "/subdomains/domains/{id}",
  action: "domain.get",
  summary: "One domain.",
  data: domain,
});

export const updateDomain = endpoint({
  method: "PUT",
  path: "/subdomains/domains/{id}",
  action: "domain.update",
  summary: "Changes the given fields; the others stay. Issued certificates are evaluated again.",
  body: z.strictObject(fields).partial(),
  data: domain,
});

export const deleteDomain = endpoint({
  method: "DELETE",
  path: "/subdomains/domains/{id}",
  action: "domain.delete",
  summary: "Deletes a domain with everything discovered for it. Monitored endpoints are kept.",
  data: domain,
});

export const verifyDomain = endpoint({
  method: "POST",
  path: "/subdomains/domains/{id}/verify",
  action: "domain.verify",
  summary: "Looks up the TXT record now. The first success starts discovery.",
  data: domain,
});

export const discoverDomain = endpoint({
  method: "POST",
  path: "/subdomains/domains/{id}/discover",
  action: "domain.discover",
  summary: `Queues a run of every source: now, but not before ${REST_MINUTES} minutes after its last run began, nor before the end of a pause that it requested. \`next_run_at\` says when. 409 until the domain is verified.`,
  data: domain,
  errors: ["CONFLICT"],
});
