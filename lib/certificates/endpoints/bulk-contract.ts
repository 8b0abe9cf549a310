import * as z from "zod";
import { createCertificateEndpoint } from "@/lib/certificates/contract";
import { MAX_TAGS, tag } from "@/lib/certificates/endpoint-fields";
import { renewalChanges } from "@/lib/certificates/renewal-fields";
import { endpoint } from "@/lib/http/endpoint";
import { bulkIds, bulkItems, bulkOutcomes, changedTags, idsOrTag, itemOutcome } from "@/lib/http/schemas/bulk";

const endpointBulkResult = z.strictObject({ index: z.int(), ...itemOutcome }).meta({ id: "EndpointBulkResult" });
export type EndpointBulkResult = z.output<typeof endpointBulkResult>;
const endpointImportResult = z
  .strictObject({ line: z.int().describe("Line of the text, counted from 1."), target: z.string(), ...itemOutcome })
  .meta({ id: "EndpointImportResult" });
export type EndpointImportResult = z.output<typeof endpointImportResult>;

export const bulkUpsertEndpoints = endpoint({
  method: "POST",
  path: "/certificates/endpoints/bulk",
  action: "certificate_endpoint.bulk_upsert",
  errors: ["PLAN_LIMIT_REACHED"],
  summary:
    "Adds up to 1,000 endpoints and changes existing endpoints with the same host, port, server name and address. Omitted fields stay. Returns one result per item. The worker checks them soon. Exempt from the rate limit.",
  bulk: true,
  body: z.strictObject({
    items: bulkItems.describe("Each item has the fields of `POST /certificates/endpoints`."),
    dry_run: z.boolean().default(false),
  }),
  data: z.strictObject({ dry_run: z.boolean(), results: z.array(endpointBulkResult) }),
});

const fields = createCertificateEndpoint.body.shape;

/** Defaults for all lines of an import; a line's own values take precedence. */
const importDefaults = z.strictObject({
  protocol: fields.protocol.unwrap().optional(),
  address_mode: fields.address_mode.unwrap().optional(),
  interval_seconds: fields.interval_seconds.unwrap().optional(),
  tags: fields.tags.unwrap().optional(),
  trust_store_id: fields.trust_store_id.unwrap().optional(),
});

export const importEndpoints = endpoint({
  method: "POST",
  path: "/certificates/endpoints/bulk/import",
  action: "certificate_endpoint.import",
  errors: ["PLAN_LIMIT_REACHED"],
  summary:
    "Imports up to 1,000 endpoints from a text: `lines` with one host, host:port or protocol://host:port each (`#` starts a comment), or `csv` as exported, with field names in the header and tags separated by spaces. Returns one result per line. Otherwise like the bulk request, also exempt from the rate limit.",
  bulk: true,
  body: z.strictObject({
    format: z.enum(["lines", "csv"]),
    text: z.string().min(1, "must not be empty").max(1_000_000, "must have at most 1000000 characters"),
    defaults: importDefaults.default({}),
    dry_run: z.boolean().default(false),
  }),
  data: z.strictObject({ dry_run: z.boolean(), results: z.array(endpointImportResult) }),
});

export const bulkCheckEndpoints = endpoint({
  method: "POST",
  path: "/certificates/endpoints/bulk/check",
  action: "certificate_endpoint.bulk_check",
  summary:
    "Queues checks of the given endpoints, or of all endpoints with the tag, after checks that are already due. Those checked within the plan's `shortest_interval_seconds` stay as they are. Exempt from the rate limit.",
  bulk: true,
  body: idsOrTag(z.string().trim().toLowerCase().max(50)),
  data: z.strictObject({
    queued: z
      .int()
      .describe(
        "Number of endpoints that will be checked soon: neither reported, nor checked within the plan's shortest interval unless they are due.",
      ),
  }),
});

const tags = changedTags(tag, MAX_TAGS);

export const bulkUpdateEndpoints = endpoint({
  method: "POST",
  path: "/certificates/endpoints/bulk/update",
  action: "certificate_endpoint.bulk_update",
  summary:
    "Adds tags to up to 100 endpoints, removes others, and changes who renews their certificates. Returns one result per id. Exempt from the rate limit.",
  bulk: true,
  body: z
    .strictObject({ ids: bulkIds, add_tags: tags, remove_tags: tags, ...renewalChanges })
    .refine(
      ({ ids: _, add_tags, remove_tags, ...renewal }) =>
        add_tags.length + remove_tags.length > 0 || Object.values(renewal).some((value) => value !== undefined),
      { path: ["add_tags"], message: "must have a tag, or another field must be given" },
    ),
  data: bulkOutcomes,
});
