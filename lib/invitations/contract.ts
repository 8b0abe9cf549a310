import * as z from "zod";
import { endpoint, id, pageQuery, shownOnce, time } from "@/lib/http/endpoint";
import { permission } from "@/lib/organizations/contract";
import { EMAIL_ADDRESS } from "@/lib/text/shapes/email-address";

/** Days for which an invitation can be accepted. */
export const INVITATION_DAYS = 7;

const invitation = z
  .strictObject({
    id,
    email: z.string(),
    permission,
    status: z.enum(["pending", "expired"]),
    created_at: time,
    created_by: z.string(),
    expires_at: time,
  })
  .meta({ id: "Invitation" });

const invitationSent = invitation
  .extend({
    emailed: z
      .boolean()
      .describe(
        "Whether the link was sent by e-mail. Within 10 minutes an address gets one, and within a day an organization sends as many as its plan allows members.",
      ),
    url: shownOnce(z.url().nullable().describe("The link if no e-mail was sent, shown only once.")),
  })
  .meta({ id: "InvitationSent" });

export type Invitation = z.output<typeof invitation>;
export type InvitationSent = z.output<typeof invitationSent>;

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "must have at most 254 characters")
  .pipe(z.email({ pattern: EMAIL_ADDRESS, error: "must be an e-mail address" }));

const ofOne = { ofOrganization: true } as const;

export const listInvitations = endpoint({
  ...ofOne,
  method: "GET",
  path: "/organizations/{id}/invitations",
  action: "invitation.list",
  summary: "Pending invitations, newest first. Expired invitations stay for 30 days.",
  query: z.strictObject(pageQuery),
  data: invitation,
  list: true,
});

export const createInvitation = endpoint({
  ...ofOne,
  method: "POST",
  path: "/organizations/{id}/invitations",
  action: "invitation.create",
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
  summary:
    "Invites a person by e-mail address for 7 days, with an e-mail or a link to share. The identity provider must vouch for the address. Inviting again replaces the link.",
  body: z.strictObject({ email, permission: permission.default("read") }),
  data: invitationSent,
  status: 201,
  location: false,
});

export const withdrawInvitation = endpoint({
  ...ofOne,
  method: "DELETE",
  path: "/organizations/{id}/invitations/{invitation_id}",
  action: "invitation.withdraw",
  summary: "Withdraws an invitation. Its link stops working.",
  data: invitation,
});
