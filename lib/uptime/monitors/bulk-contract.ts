import * as z from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { bulkIds, bulkItems, bulkOutcomes, changedTags, idsOrTag, itemOutcome } from "@/lib/http/schemas/bulk";
import { MAX_TAGS, tag } from "@/lib/uptime/fields";

/** The result of one item of a bulk request. */
const bulkResult = z.strictObject({ index: z.int(), ...itemOutcome }).meta({ id: "BulkResult" });
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
    items: bulkItems.describe(
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
    "Queues checks of the given monitors, or of all monitors with the tag, after checks that are already due. Those checked within the plan's `shortest_interval_seconds` stay as they are. Exempt from the rate limit.",
  bulk: true,
  body: idsOrTag(z.string().max(50)),
  data: z.strictObject({
    queued: z
      .int()
      .describe(
        "Number of monitors that will be checked soon: neither paused, nor heartbeats, nor checked within the plan's shortest interval unless they are due.",
      ),
  }),
});

const tags = changedTags(tag, MAX_TAGS);

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
      add_tags: tags,
      remove_tags: tags,
    })
    .refine(({ paused, add_tags, remove_tags }) => paused !== undefined || add_tags.length + remove_tags.length > 0, {
      path: ["ids"],
      message: "must come with paused, add_tags or remove_tags",
    }),
  data: bulkOutcomes,
});
