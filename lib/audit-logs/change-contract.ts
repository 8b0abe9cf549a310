import * as z from "zod";
import { id } from "@/lib/http/endpoint";

/** Maximum length of a recorded text in characters; longer texts are cut. */
export const MAX_TEXT = 200;
/** Lists with more entries are recorded as their differences. */
export const MAX_ENTRIES = 20;
/** Recorded entries of the differences between long lists. */
export const FIRST_ENTRIES = 10;
/** Maximum number of changes per event. */
export const MAX_CHANGES = 50;

const entries = z.strictObject({
  count: z.int().describe("Number of entries."),
  first: z.array(z.unknown()).describe(`At most ${FIRST_ENTRIES} of them.`),
});

export const auditChange = z
  .strictObject({
    resource: z
      .strictObject({ id, name: z.string() })
      .optional()
      .describe("The changed resource, if the request can change several."),
    field: z.string().describe("As in the body of the request; the parts of a nested field are joined by dots."),
    from: z
      .unknown()
      .optional()
      .describe(
        `The value before; null if there was none. A text over ${MAX_TEXT} characters is cut and ends with \`…\`.`,
      ),
    to: z.unknown().optional().describe("The value after; null if it was removed."),
    added: entries
      .optional()
      .describe(`Instead of \`from\` and \`to\`, for a list with more than ${MAX_ENTRIES} entries.`),
    removed: entries.optional().describe("Like `added`."),
    secret: z.literal(true).optional().describe("Instead of `from` and `to`: the value is secret and is not recorded."),
  })
  .meta({ id: "AuditChange" });
export type AuditChange = z.output<typeof auditChange>;

/** What a change adds to the `details` of its event. */
export const changeDetails = {
  resource_name: z.string().optional().describe("The name of the changed resource, before the change."),
  changes: z
    .array(auditChange)
    .optional()
    .describe(`What the request changed, at most ${MAX_CHANGES} changes; empty if it changed nothing.`),
  changes_omitted: z.int().optional().describe("Number of changes beyond the recorded ones."),
  created: z.int().optional().describe("Number of resources that a bulk request created."),
  updated: z.int().optional().describe("Number of resources that a bulk request changed."),
  resource_ids: z
    .array(id)
    .optional()
    .describe(
      "The resources that a bulk request by ids changed, or those that another request changed besides its own. The filter `resource_id` finds the event by each.",
    ),
};
