import * as z from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";
import { facetDimensions } from "@/lib/audit-logs/group/dimensions";
import { endpoint, time } from "@/lib/http/endpoint";

const count = z.number().int();

const auditFacet = z.strictObject({
  dimension: z.enum(facetDimensions),
  since: time.describe("Start of the events that were counted for this dimension."),
  values: z
    .array(
      z.strictObject({
        value: z.string(),
        name: z.string().nullable().describe("Name of the key or user in one of the events, if known."),
        country: z.string().nullable().describe("Of an address."),
        network: z.string().nullable().describe("The /24 or /48 of an address."),
        events: count,
      }),
    )
    .max(10)
    .describe("The most frequent values."),
});

export const auditFacets = z
  .strictObject({
    since: time.describe(
      "Start of the newest matching events that were counted, 10,000 to 50,000, or of the range if fewer match. The counts of a facet begin here or, if rollups have them, at the start of the range.",
    ),
    until: time,
    has_earlier: z.boolean().describe("Whether the range begins before `since`."),
    events: count.describe("Matching events from `since`."),
    retention_days: count.describe("Days for which the organization's plan retains events."),
    facets: z.array(auditFacet),
  })
  .meta({ id: "AuditFacets" });

export type AuditFacet = z.output<typeof auditFacet>;

export const getAuditFacets = endpoint({
  method: "GET",
  path: "/audit-logs/facets",
  action: "audit_log.facets",
  summary: "The most frequent values of every dimension among the matching events.",
  query: z.strictObject(filterQuery),
  data: auditFacets,
});
