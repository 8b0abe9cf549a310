import { canMail, verifyMailServer } from "@/lib/network/mail";
import { type Finding, ok, skipped } from "@/server/doctor/check";

export const MAIL_CHECK = "e-mail";

/** Whether the SMTP server greets and accepts the login. Sends nothing. Throws the server's refusal. */
export async function checkMail(): Promise<Finding[]> {
  if (!canMail())
    return [
      skipped(MAIL_CHECK, "SMTP_URL is not set: no invitations, weekly e-mails or warnings of deletions are sent"),
    ];
  await verifyMailServer();
  return [ok(MAIL_CHECK, "the SMTP server answers and accepts the login")];
}
