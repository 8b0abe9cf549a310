import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type Mailbox, startMailbox } from "@/e2e/support/stand-ins/mailbox";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { configure } from "@/lib/config";
import { systemPrincipal } from "@/lib/http/principal";
import { createInvitation } from "@/lib/invitations/create";
import { expireInvitations } from "@/lib/invitations/expire-invitations";
import { withdrawInvitation } from "@/lib/invitations/withdraw";
import { plans } from "@/lib/plans";

const server = sharedServer();
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.close());

/** An organization of an installation with an SMTP server, which the shared one does not have. */
async function inviter() {
  const { id } = await newOrganization(server);
  configure({ SMTP_URL: mailbox.url, SMTP_FROM: "Sealwatch <watch@example.test>" });
  const principal = systemPrincipal(id);
  const invite = (email: string) =>
    withAuditEvent({ action: "invitation.create", principal }, () =>
      createInvitation(principal, { id, email, permission: "read" }),
    );
  const withdraw = (invitation_id: string) =>
    withAuditEvent({ action: "invitation.withdraw", principal }, () =>
      withdrawInvitation(principal, { id, invitation_id }),
    );
  const age = (interval: string) =>
    query(server, "app", "UPDATE invitation_mails SET sent_at = sent_at - $2::interval WHERE organization_id = $1", [
      id,
      interval,
    ]);
  return { id, invite, withdraw, age };
}

const mailsTo = (email: string) => mailbox.received.filter((mail) => mail.includes(`To: ${email}`));

test("an address gets one mail in 10 minutes, even if the invitation is withdrawn; without a mail there is a link", async () => {
  const { id, invite, withdraw, age } = await inviter();
  const email = `${id}@example.test`;
  const first = await invite(email);
  expect(first).toMatchObject({ emailed: true, url: null });
  const again = await invite(email);
  expect(again).toMatchObject({ emailed: false, url: expect.stringContaining("/invitations/") });
  await withdraw(again.id);
  expect(await invite(email)).toMatchObject({ emailed: false });
  expect(mailsTo(email)).toHaveLength(1);
  expect(await invite(`other-${email}`)).toMatchObject({ emailed: true });
  await age("10 minutes");
  expect(await invite(email)).toMatchObject({ emailed: true });
  expect(mailsTo(email)).toHaveLength(2);
});

test("an organization sends as many invitations a day as its plan allows members, withdrawn ones included", async () => {
  const { id, invite, withdraw, age } = await inviter();
  for (let n = 0; n < plans.free.members; n++) {
    const { id: invitation, emailed } = await invite(`${n}-${id}@example.test`);
    expect(emailed).toBe(true);
    await withdraw(invitation);
  }
  expect(await invite(`more-${id}@example.test`)).toMatchObject({ emailed: false });
  await age("1 day");
  expect(await invite(`more-${id}@example.test`)).toMatchObject({ emailed: true });
  await expireInvitations();
  expect(await query(server, "app", "SELECT FROM invitation_mails WHERE organization_id = $1", [id])).toHaveLength(1);
});
