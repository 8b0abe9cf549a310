import * as z from "zod";
import { certificateSummary } from "@/lib/certificates/contract";
import { endpointStatuses } from "@/lib/certificates/endpoint-statuses";
import { renewalFields } from "@/lib/certificates/renewal-fields";
import { endpoint, id, name, pageQuery, queryNumber, time } from "@/lib/http/endpoint";

/** Maximum number of days ahead. */
const MAX_DAYS = 400;

const days = queryNumber(
  z
    .number("must be a number")
    .int("must be a whole number")
    .min(0, "must not be negative")
    .max(MAX_DAYS, `must be at most ${MAX_DAYS}`),
)
  .prefault(30)
  .describe("Days ahead. What is already due is always included.");

const renewalActions = ["renew", "deploy"] as const;

export const certificateRenewal = z
  .strictObject({
    due_at: time.describe("When a third of the certificate's lifetime is left."),
    action: z
      .enum(renewalActions)
      .describe("`renew`, or `deploy` if a newer certificate is known that an endpoint does not serve yet."),
    is_later_than_usual: z
      .boolean()
      .describe("Whether earlier renewals came sooner: an endpoint has the finding `renewal_later_than_usual`."),
    ...renewalFields,
    certificate: certificateSummary,
    endpoints: z
      .array(
        z.strictObject({
          id,
          host: z.string(),
          port: z.int(),
          sni: z.string().nullable(),
          status: z.enum(endpointStatuses),
        }),
      )
      .describe("The owner's endpoints that serve it, at most 20."),
    endpoint_count: z.int().describe("Number of the owner's endpoints that serve it."),
  })
  .meta({ id: "CertificateRenewal" });
export type CertificateRenewal = z.output<typeof certificateRenewal>;

export const listRenewals = endpoint({
  method: "GET",
  path: "/certificates/renewals",
  action: "certificate_renewal.list",
  summary:
    "What must be renewed within a number of days, first due first: one item per certificate in use and owner of its endpoints.",
  query: z
    .strictObject({
      ...pageQuery,
      days,
      owner: name.optional().describe("Only what this owner renews."),
      owned: z.enum(["true", "false"]).optional().describe("`false` for what has no owner, `true` for all others."),
    })
    .refine(({ owner, owned }) => owner === undefined || owned === undefined, {
      path: ["owned"],
      message: "must not be combined with owner",
    }),
  data: certificateRenewal,
  list: true,
});

export const listRenewalOwners = endpoint({
  method: "GET",
  path: "/certificates/renewals/owners",
  action: "certificate_renewal.owners",
  summary: "How many certificates each owner must renew within a number of days, first due first; at most 200 owners.",
  query: z.strictObject({ days }),
  data: z
    .strictObject({
      owners: z.array(
        z.strictObject({
          owner: z.string().nullable().describe("Null for what has no owner."),
          renewals: z.int(),
          due: z.int().describe("Of these, already due."),
          next_due_at: time,
        }),
      ),
    })
    .meta({ id: "CertificateRenewalOwners" }),
});
