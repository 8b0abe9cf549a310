import * as z from "zod";
import { bulkIds, bulkOutcomes, endpoint, id } from "@/lib/http/endpoint";
import { MAX_TAGS, tag } from "@/lib/uptime/fields";

/** Most items per bulk request. */
export const MAX_ITEMS = 1000;

/** The result of one item of a bulk request. */
const bulkResult = z
  .strictObject({
    index: z.int(),
    status: z.enum(["created", "updated", "unchanged", "failed"]).describe("With `dry_run`: what would happen."),
    id: id.nullable().describe("Null if it failed, or if a dry run would create it."),
    error: z.string().nullable(),
  })
  .meta({ id: "BulkResult" });
export type BulkResult = z.output<typeof bulkResult>;

export const bulkUpsertMonitors = endpoint({
  method: "POST",
  path: "/uptime/bulk",
  action: "monitor.bulk_upsert",
  errors: ["PLAN_LIMIT_REACHED"],
  summary:
    "Adds up to 1,000 monitors and changes existing monitors with the same name. Omitted fields stay. Returns one result per item. Exempt from the rate limit.",
  bulk: true,
  body: z.strictObject({
    items: z
      .array(z.unknown(), "must be a list")
      .min(1, "must have at least one item")
      .max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`)
      .describe(
        "Each item has the fields of `POST /uptime`. If the `target` of an existing monitor moves to another origin, `headers` and `authentication` must be given again. A new heartbeat gets its URL from `POST /uptime/{id}/rotate-url`.",
      ),
    dry_run: z.boolean().default(false),
  }),
  data: z.strictObject({ dry_run: z.boolean(), results: z.array(bulkResult) }),
});

export const bulkCheckMonitors = endpoint({
  method: "POST",
  path: "/uptime/bulk/check",
  action: "monitor.bulk_check",
  summary:
    "Queues checks of the given monitors, or of all monitors with the tag, after checks that are already due. Exempt from the rate limit.",
  bulk: true,
  body: z
    .strictObject({
      ids: z.array(id).max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`).optional(),
      tag: z.string().max(50).optional(),
    })
    .refine(({ ids, tag }) => (ids === undefined) !== (tag === undefined), {
      path: ["ids"],
      message: "must have either ids or tag",
    }),
  data: z.strictObject({
    queued: z.int().describe("Number of monitors that are neither paused nor heartbeats and will be checked soon."),
  }),
});

const changedTags = z.array(tag).max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`).default([]);

export const bulkUpdateMonitors = endpoint({
  method: "POST",
  path: "/uptime/bulk/update",
  action: "monitor.bulk_update",
  summary:
    "Pauses or resumes up to 100 monitors, adds tags and removes others. The worker checks resumed monitors soon. Returns one result per id. Exempt from the rate limit.",
  bulk: true,
  body: z
    .strictObject({
      ids: bulkIds,
      paused: z.boolean().optional(),
      add_tags: changedTags,
      remove_tags: changedTags,
    })
    .refine(({ paused, add_tags, remove_tags }) => paused !== undefined || add_tags.length + remove_tags.length > 0, {
      path: ["ids"],
      message: "must come with paused, add_tags or remove_tags",
    }),
  data: bulkOutcomes,
});
