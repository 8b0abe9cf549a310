import { z } from "zod";
import { endpoint, id, name, pageQuery, time } from "@/lib/http/endpoint";
import { planNames } from "@/lib/plans";

/** Days between asking for an organization's deletion and the deletion. */
export const DELETION_GRACE_DAYS = 14;

export const permission = z.enum(["admin", "read"]).describe("`read` allows GET requests only.");

const organization = z
  .strictObject({
    id,
    name: z.string(),
    slug: z.string(),
    plan: z.enum(planNames),
    audit_retention_days: z.number().int(),
    permission: permission.describe("What the caller may do in it."),
    created_at: time,
    deletion: z
      .strictObject({ requested_at: time, requested_by: z.string(), due_at: time })
      .nullable()
      .describe("Until `due_at` everything continues and the deletion can be cancelled."),
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
  summary: "Creates an organization with the person as its admin. A key is refused with 403.",
  body: z.strictObject({ name }),
  data: organization,
  status: 201,
  person: true,
});

/** Of one organization: for a person it is the one that is asked for, whichever the dashboard shows. */
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
  summary: "Changes the organization's name. The slug stays.",
  body: z.strictObject({ name: name.optional() }),
  data: organization,
});

export const deleteOrganization = endpoint({
  ...ofOne,
  method: "DELETE",
  path: "/organizations/{id}",
  action: "organization.delete",
  summary:
    "Requests deletion of the organization, with everything it has and its audit log, in 14 days. 409 while a subscription runs. A second request changes nothing.",
  data: organization,
});

export const restoreOrganization = endpoint({
  ...ofOne,
  method: "POST",
  path: "/organizations/{id}/restore",
  action: "organization.restore",
  summary: "Cancels a deletion that is not due yet.",
  data: organization,
});

export const exportOrganization = endpoint({
  ...ofOne,
  method: "GET",
  path: "/organizations/{id}/export",
  action: "organization.export",
  summary: `Everything the organization has, without secrets and without its audit log, which has its own export: a line
{"table", "row"} per record, read in pages, each as of that moment. It ends with a line {"export": {"rows", "sha256"}} over what precedes it.`,
  data: z.unknown(),
  raw: true,
  media: ["application/x-ndjson"],
});

export const listMembers = endpoint({
  ...ofOne,
  method: "GET",
  path: "/organizations/{id}/members",
  action: "member.list",
  summary: "The organization's members, newest person first.",
  query: z.strictObject(pageQuery),
  data: member,
  list: true,
});

export const updateMember = endpoint({
  ...ofOne,
  method: "PUT",
  path: "/organizations/{id}/members/{user_id}",
  action: "member.update",
  summary: "Changes a member's permission from the next request on. 409 if no admin would be left.",
  body: z.strictObject({ permission }),
  data: member,
});

export const removeMember = endpoint({
  ...ofOne,
  method: "DELETE",
  path: "/organizations/{id}/members/{user_id}",
  action: "member.remove",
  summary: "Removes a member, or oneself. Access ends at once. 409 if no admin would be left.",
  data: member,
});
