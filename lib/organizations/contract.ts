import * as z from "zod";
import { endpoint, id, name, pageQuery, time } from "@/lib/http/endpoint";
import { planNames } from "@/lib/plans";

/** Days between a request to delete an organization and its deletion. */
export const DELETION_GRACE_DAYS = 14;

export const permission = z.enum(["admin", "read"]).describe("`read` allows GET requests only.");

const organization = z
  .strictObject({
    id,
    name: z.string(),
    slug: z.string(),
    plan: z.enum(planNames),
    audit_retention_days: z.number().int(),
    permission: permission.describe("The caller's permission in this organization."),
    created_at: time,
    deletion: z
      .strictObject({ requested_at: time, requested_by: z.string(), due_at: time })
      .nullable()
      .describe("Until `due_at` everything keeps working and the deletion can be cancelled."),
  })
  .meta({ id: "Organization" });

const member = z
  .strictObject({
    user_id: id,
    name: z.string(),
    email: z.string(),
    permission,
    created_at: time.describe("When the person became a member."),
  })
  .meta({ id: "Member" });

export type Organization = z.output<typeof organization>;
export type Member = z.output<typeof member>;

export const listOrganizations = endpoint({
  method: "GET",
  path: "/organizations",
  action: "organization.list",
  summary: "The person's organizations, newest first; for a key, its own.",
  query: z.strictObject(pageQuery),
  data: organization,
  list: true,
});

export const createOrganization = endpoint({
  method: "POST",
  path: "/organizations",
  action: "organization.create",
  errors: ["CONFLICT"],
  summary:
    "Creates an organization with the person as its admin. A person can create at most 20. A key is refused with 403.",
  body: z.strictObject({ name }),
  data: organization,
  status: 201,
  person: true,
});

/** Endpoints of one organization: for a person the one in the path, whichever the dashboard shows. */
const ofOne = { ofOrganization: true } as const;

export const getOrganization = endpoint({
  ...ofOne,
  method: "GET",
  path: "/organizations/{id}",
  action: "organization.get",
  summary: "One organization.",
  data: organization,
});

export const updateOrganization = endpoint({
  ...ofOne,
  method: "PUT",
  path: "/organizations/{id}",
  action: "organization.update",
  summary: "Changes the organization's name. The slug does not change.",
  body: z.strictObject({ name: name.optional() }),
  data: organization,
});

export const deleteOrganization = endpoint({
  ...ofOne,
  method: "DELETE",
  path: "/organizations/{id}",
  action: "organization.delete",
  errors: ["CONFLICT"],
  summary:
    "Schedules the organization, all its data and its audit log for deletion in 14 days. 409 while a subscription is active or the audit log is on hold. A second request changes nothing.",
  data: organization,
});

export const restoreOrganization = endpoint({
  ...ofOne,
  method: "POST",
  path: "/organizations/{id}/restore",
  action: "organization.restore",
  summary: "Cancels a deletion that is not due yet.",
  data: organization,
  errors: ["CONFLICT"],
});

export const exportOrganization = endpoint({
  ...ofOne,
  method: "GET",
  path: "/organizations/{id}/export",
  action: "organization.export",
  summary: `Exports all the organization's data, without secrets and without its audit log, which has its own export: a line
{"table", "row"} per record. Records are read in pages, each at its own point in time. The last line {"export": {"rows", "sha256"}} covers all lines before it.`,
  data: z.unknown(),
  raw: true,
  media: ["application/x-ndjson"],
});

export const listMembers = endpoint({
  ...ofOne,
  method: "GET",
  path: "/organizations/{id}/members",
  action: "member.list",
  summary: "The organization's members, most recent first.",
  query: z.strictObject(pageQuery),
  data: member,
  list: true,
});

export const updateMember = endpoint({
  ...ofOne,
  method: "PUT",
  path: "/organizations/{id}/members/{user_id}",
  action: "member.update",
  summary: "Changes a member's permission. Takes effect with the next request. 409 if no admin would be left.",
  body: z.strictObject({ permission }),
  data: member,
  errors: ["CONFLICT"],
});

export const removeMember = endpoint({
  ...ofOne,
  method: "DELETE",
  path: "/organizations/{id}/members/{user_id}",
  action: "member.remove",
  errors: ["CONFLICT"],
  summary: "Removes a member, or the caller. Access ends immediately. 409 if no admin would be left.",
  data: member,
});
