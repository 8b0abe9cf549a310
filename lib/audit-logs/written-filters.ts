import * as z from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";

/** Validates a parameter with the filter's schema but keeps its original text. */
export function asWritten(schema: z.ZodType) {
  return z
    .string()
    .superRefine((text, context) => {
      for (const { message } of schema.safeParse(text).error?.issues ?? [])
        context.addIssue({ code: "custom", message });
    })
    .optional()
    .describe(schema.description ?? "");
}

/** The filters of the log as query parameters that keep their text, to be stored. */
export const writtenFilters = Object.fromEntries(
  Object.entries(filterQuery).map(([name, schema]) => [name, asWritten(schema)]),
) as Record<keyof typeof filterQuery, ReturnType<typeof asWritten>>;
