import * as z from "zod";
import { groupBy } from "@/lib/audit-logs/group/group-events-contract";
import { asWritten, writtenFilters } from "@/lib/audit-logs/written-filters";
import { columns } from "@/lib/audit-views/columns";
import { ranges } from "@/lib/audit-views/ranges";
import { endpoint, id, name, pageQuery, time } from "@/lib/http/endpoint";

const isColumns = (text: string) => {
  const names = text.split(",");
  return new Set(names).size === names.length && names.every((name) => columns.some((column) => column === name));
};

const viewQuery = z
  .strictObject({
    ...writtenFilters,
    range: z
      .enum(ranges.map(({ value }) => value))
      .optional()
      .describe("Range of time that ends now, instead of `since` and `until`. Default without either: 24h."),
    order: z.enum(["asc", "desc"]).optional(),
    reads: z
      .enum(["shown"])
      .optional()
      .describe("Without `via`, the dashboard hides what people only read in it, unless this is `shown`."),
    columns: z
      .string()
      .refine(isColumns, `must list columns separated by commas: ${columns.join(", ")}`)
      .optional()
      .describe("Columns to show."),
    group: asWritten(groupBy).describe("Dimensions to group by, as in GET /audit-logs/groups."),
  })
  .superRefine(({ since, until, range }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (since && until && Date.parse(since) >= Date.parse(until)) issue("until", "must be after since");
    if (range !== undefined && (since ?? until) !== undefined) issue("range", "cannot be combined with since or until");
  })
  .meta({ description: "Filters as in the query of GET /audit-logs, and display settings." });

const scope = z
  .enum(["personal", "organization"])
  .describe(
    "A `personal` view is available only to its person or key, an `organization` view to the whole organization.",
  );

export const auditView = z
  .strictObject({
    id,
    name,
    scope,
    query: z.record(z.string(), z.string()),
    created_at: time,
    created_by: z.strictObject({ type: z.enum(["user", "api_key", "system"]), id: id.nullable(), name: z.string() }),
    updated_at: time,
    weekly_email: z
      .boolean()
      .describe("Whether the calling person gets an e-mail about the view's entries of the last week every Monday."),
  })
  .meta({ id: "AuditView" });

export type AuditView = z.output<typeof auditView>;

export const listAuditViews = endpoint({
  method: "GET",
  path: "/audit-logs/views",
  action: "audit_view.list",
  summary: "Saved views of the audit log: the caller's own and the organization's, newest first.",
  query: z.strictObject(pageQuery),
  data: auditView,
  list: true,
});

export const createAuditView = endpoint({
  method: "POST",
  path: "/audit-logs/views",
  action: "audit_view.create",
  summary: "Saves a view. Names are unique among the caller's own views and among the organization's.",
  body: z.strictObject({ name, scope: scope.default("personal"), query: viewQuery }),
  data: auditView,
  status: 201,
  errors: ["CONFLICT"],
});

export const getAuditView = endpoint({
  method: "GET",
  path: "/audit-logs/views/{id}",
  action: "audit_view.get",
  summary: "One saved view.",
  data: auditView,
});

export const updateAuditView = endpoint({
  method: "PUT",
  path: "/audit-logs/views/{id}",
  action: "audit_view.update",
  summary:
    "Changes the given fields; `query` is replaced as a whole. Making a view personal makes the caller its owner.",
  body: z.strictObject({
    name: name.optional(),
    scope: scope.optional(),
    query: viewQuery.optional(),
    weekly_email: z
      .boolean()
      .optional()
      .describe("Only for people, and only with an SMTP server. Others do not get the e-mail."),
  }),
  data: auditView,
  errors: ["CONFLICT"],
});

export const deleteAuditView = endpoint({
  method: "DELETE",
  path: "/audit-logs/views/{id}",
  action: "audit_view.delete",
  summary: "Deletes a saved view and returns it.",
  data: auditView,
});
