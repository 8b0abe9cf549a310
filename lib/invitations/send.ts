import type { Invitation } from "@/lib/db/generated/app/client";
import { INVITATION_DAYS } from "@/lib/invitations/contract";
import { log } from "@/lib/log";
import { canMail, sendMail } from "@/lib/network/mail";

/** Sends an invitation's link. Returns whether the mail server took it; false where there is none. */
export async function sendInvitation(invitation: Invitation, organization: string, url: string): Promise<boolean> {
  if (!canMail()) return false;
  const { id, email, permission, createdBy } = invitation;
  const may = permission === "admin" ? "see and change everything there" : "see everything there, and change nothing";
  const text = `${createdBy} invites you to the organization "${organization}" on Sealwatch. You may ${may}.

Accept by signing in as ${email}:
${url}

The link is for you alone and can be used for ${INVITATION_DAYS} days. If you did not expect it, you need do nothing.
`;
  try {
    await sendMail({ to: [email], subject: `${createdBy} invites you to ${organization} on Sealwatch`, text, id });
    return true;
  } catch (error) {
    log.warn({ err: error, invitation: id }, "an invitation could not be sent by e-mail");
    return false;
  }
}
