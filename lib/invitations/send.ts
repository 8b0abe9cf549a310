import type { Invitation } from "@/lib/db/generated/app/client";
import { INVITATION_DAYS } from "@/lib/invitations/contract";
import { log } from "@/lib/log";
import { canMail, sendMail } from "@/lib/network/mail";
import { oneLine } from "@/lib/text/one-line";

/** Sends an invitation's link. Returns whether the mail server accepted it; false if none is configured. */
export async function sendInvitation(invitation: Invitation, organization: string, url: string): Promise<boolean> {
  if (!canMail()) return false;
  const { id, email, permission } = invitation;
  const [inviter, name] = [oneLine(invitation.createdBy), oneLine(organization)];
  const may =
    permission === "admin" ? "view and change everything there" : "view everything there, but not change anything";
  const text = `${inviter} invites you to the organization "${name}" on Sealwatch. You will be able to ${may}.

Accept by signing in as ${email}:
${url}

This link is only for you and can be used for ${INVITATION_DAYS} days. If you did not expect this invitation, you can ignore it.
`;
  try {
    await sendMail({ to: [email], subject: `${inviter} invites you to ${name} on Sealwatch`, text, id });
    return true;
  } catch (error) {
    log.warn({ err: error, invitation: id }, "could not send an invitation by e-mail");
    return false;
  }
}
