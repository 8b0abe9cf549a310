import * as z from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";
import { groupDimensions } from "@/lib/audit-logs/group/dimensions";
import { endpoint, time } from "@/lib/http/endpoint";
import { LISTED_VALUES, type ListedValues } from "@/lib/http/schemas/documented";

const count = z.number().int();
const isDimension = z.enum(groupDimensions);

/** One or two dimensions, separated by a comma. */
export const groupBy = z
  .string()
  .max(100)
  .transform((text, context) => {
    const chosen = text.split(",").flatMap((name) => isDimension.safeParse(name).data ?? []);
    const isValid = chosen.length === text.split(",").length && new Set(chosen).size === chosen.length;
    if (isValid && chosen.length <= 2) return chosen;
    const message = `must be one or two of ${groupDimensions.join(", ")}, separated by a comma`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .meta({
    [LISTED_VALUES]: { name: "AuditDimension", values: groupDimensions, most: 2 } satisfies ListedValues,
    description: `One or two of ${groupDimensions.join(", ")}, separated by a comma. A \`network\` is the /24 or /48 of an address.`,
  });

const auditGroup = z
  .strictObject({
    values: z
      .array(z.string())
      .max(2)
      .describe(
        "The values in the order of `by`. A network is a value of the filter `ip`; every other dimension is a filter.",
      ),
    names: z
      .array(z.string().nullable())
      .max(2)
      .describe("For each value, the name of the key or user in one of the events; null for other dimensions."),
    events: count.describe("Number of events in the list with the same filters, these values and `since`."),
    first_at: time,
    last_at: time,
    series: z.array(count).describe("Events per interval of `series_starts`."),
  })
  .meta({ id: "AuditGroup" });

export const auditGroups = z
  .strictObject({
    since: time.describe("Start of the events that were counted."),
    until: time,
    has_earlier: z
      .boolean()
      .describe(
        "Whether only the part of the range from `since` was counted, because more events match than can be counted in time: 10,000 to 50,000.",
      ),
    events: count.describe("Events that were counted. Those without a value are in no group."),
    retention_days: count.describe("Days for which the organization's plan retains events."),
    series_starts: z.array(time).describe("Start times of the equal intervals from `since` to `until`."),
    groups: z.array(auditGroup).max(100).describe("Largest first."),
    unique_groups: count.describe("Number of all groups."),
  })
  .meta({ id: "AuditGroups" });

export type AuditGroup = z.output<typeof auditGroup>;
export type AuditGroups = z.output<typeof auditGroups>;

export const groupAuditLogs = endpoint({
  method: "GET",
  path: "/audit-logs/groups",
  action: "audit_log.group",
  summary: "The matching events, counted by one or two dimensions: the newest 10,000 to 50,000 of the range.",
  query: z.strictObject({ by: groupBy, ...filterQuery }),
  data: auditGroups,
});
