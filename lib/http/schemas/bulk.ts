import * as z from "zod";
import { id } from "@/lib/http/endpoint";

/** Maximum number of items per bulk request and of resources per import. */
export const MAX_ITEMS = 1000;

/** The items of a bulk request, which are validated one by one. */
export const bulkItems = z
  .array(z.unknown(), "must be a list")
  .min(1, "must have at least one item")
  .max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`);

/** The fields of the result of one item. */
export const itemOutcome = {
  status: z.enum(["created", "updated", "unchanged", "failed"]).describe("With `dry_run`: what would happen."),
  id: id.nullable().describe("Null if it failed, or if a dry run would create it."),
  error: z.string().nullable(),
};

/** Names resources either by their ids or by a tag. */
export const idsOrTag = (tag: z.ZodType<string>) =>
  z
    .strictObject({
      ids: z.array(id).max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`).optional(),
      tag: tag.optional(),
    })
    .refine(({ ids, tag }) => (ids === undefined) !== (tag === undefined), {
      path: ["ids"],
      message: "must have either ids or tag",
    });

/** Tags to add or to remove. */
export const changedTags = (tag: z.ZodType<string>, most: number) =>
  z.array(tag).max(most, `must have at most ${most} tags`).default([]);

/** Most resources that one bulk request can name by id. */
const MAX_BULK_IDS = 100;

/** The ids of a bulk request, without repetitions. */
export const bulkIds = z
  .array(id)
  .min(1, "must have at least one id")
  .max(MAX_BULK_IDS, `must have at most ${MAX_BULK_IDS} ids`)
  .transform((ids) => [...new Set(ids)]);

/** The result of a bulk request for one id. */
const bulkOutcome = z
  .strictObject({
    id,
    status: z.enum(["updated", "unchanged", "failed"]),
    error: z.string().nullable().describe("Why it failed. The other resources are changed all the same."),
  })
  .meta({ id: "BulkOutcome" });
export type BulkOutcome = z.output<typeof bulkOutcome>;

/** The response of a bulk request by id: one result per id, in order. */
export const bulkOutcomes = z.strictObject({ results: z.array(bulkOutcome) }).meta({ id: "BulkOutcomes" });
