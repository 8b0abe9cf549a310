import * as z from "zod";
import { certificateSummary, finding } from "@/lib/certificates/contract";
import { findingCodes, severities } from "@/lib/certificates/findings";
import { endpoint, id, pageQuery, time } from "@/lib/http/endpoint";

const seen = {
  address: z.string().nullable().describe("Null if the certificate was reported."),
  first_seen_at: time,
  last_seen_at: time.describe("The last check if it is still served."),
  is_current: z.boolean(),
};

export const sighting = z
  .strictObject({
    ...seen,
    certificate: certificateSummary,
    changes: z
      .strictObject({
        from: certificateSummary.describe("The previous certificate at that address."),
        names_added: z.array(z.string()),
        names_removed: z.array(z.string()),
        is_issuer_changed: z.boolean(),
        is_key_changed: z.boolean(),
        from_left_share: z
          .number()
          .min(0)
          .max(1)
          .describe("Remaining share of the previous certificate's lifetime when this one was first seen."),
      })
      .nullable()
      .describe("Null for the first certificate seen at that address."),
  })
  .meta({ id: "CertificateSighting" });
export type Sighting = z.output<typeof sighting>;

export const getEndpointHistory = endpoint({
  method: "GET",
  path: "/certificates/endpoints/{id}/history",
  action: "certificate_endpoint.history",
  summary: "The certificates that an endpoint served over time, by address, with each change, newest first.",
  query: z.strictObject(pageQuery),
  data: sighting,
  list: true,
});

const certificatePlace = z
  .strictObject({
    ...seen,
    endpoint: z.strictObject({ id, host: z.string(), port: z.int(), sni: z.string().nullable() }),
  })
  .meta({ id: "CertificatePlace" });
export type CertificatePlace = z.output<typeof certificatePlace>;

export const getCertificateHistory = endpoint({
  method: "GET",
  path: "/certificates/{id}/history",
  action: "certificate.history",
  summary: "Where and when a certificate was served, newest first.",
  query: z.strictObject(pageQuery),
  data: certificatePlace,
  list: true,
});

const findingAt = finding
  .extend({ id, endpoint: z.strictObject({ id, host: z.string(), port: z.int(), sni: z.string().nullable() }) })
  .meta({ id: "CertificateFindingAt" });
export type FindingAt = z.output<typeof findingAt>;

export const listFindings = endpoint({
  method: "GET",
  path: "/certificates/findings",
  action: "certificate_finding.list",
  summary: "Findings at endpoints, open and closed, newest first.",
  query: z.strictObject({
    ...pageQuery,
    endpoint_id: id.optional(),
    code: z.enum(findingCodes).optional(),
    severity: z.enum(severities).optional(),
    open: z.enum(["true", "false"]).optional().describe("`true` for open findings, `false` for closed ones."),
  }),
  data: findingAt,
  list: true,
});
