import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember } from "@/e2e/support/member";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { configure } from "@/lib/config";
import { notifyDeletions } from "@/lib/organizations/notify-deletion";

const server = sharedServer();
const received: { to: string; text: string }[] = [];
let isAway = false;
/** A mailbox that does not exist. */
let unknown = "";
/** A mailbox that is full, and how many mails it did not accept. */
let full = "";
let refusals = 0;
/** By recipient; runs once, before their next mail is accepted. */
const beforeAccepting = new Map<string, () => Promise<void>>();

const box = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onMailFrom: (_sender, _session, done) =>
    done(isAway ? Object.assign(new Error("not now"), { responseCode: 451 }) : null),
  onRcptTo: ({ address }, _session, done) => {
    const responseCode = address === full ? 452 : address === unknown ? 550 : null;
    if (address === full) refusals++;
    done(responseCode === null ? null : Object.assign(new Error("not accepted"), { responseCode }));
  },
  onData: async (stream, { envelope }, done) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString().replaceAll("=\r\n", "");
    for (const { address } of envelope.rcptTo) {
      const before = beforeAccepting.get(address);
      beforeAccepting.delete(address);
      await before?.();
      received.push({ to: address, text });
    }
    done();
  },
});

beforeAll(async () => {
  box.on("error", () => {});
  await new Promise<void>((resolve) => box.listen(0, "127.0.0.1", () => resolve()));
});
afterAll(() => void box.close(() => {}));

/** Runs the job of an installation with an SMTP server; it also notifies admins of other suites' organizations. */
async function run(): Promise<void> {
  const { port } = box.server.address() as AddressInfo;
  configure({ SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: "Sealwatch <watch@example.test>" });
  await notifyDeletions(new AbortController().signal);
}

test("every admin is notified of a deletion once, and again of the next one", async () => {
  const { id, admin } = await newOrganization(server);
  const admins = [await newMember(server, id, "admin"), await newMember(server, id, "admin")];
  const reader = await newMember(server, id, "read");
  const mailsTo = ({ email }: { email: string }) => received.filter(({ to }) => to === email);

  await run();
  expect(admins.flatMap(mailsTo)).toEqual([]);
  const deleted = await admin.delete<{ deletion: { due_at: string } }>(`/organizations/${id}`);
  isAway = true;
  await run();
  isAway = false;
  await run();
  await run();
  for (const each of admins) {
    const mails = mailsTo(each);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(deleted.data.deletion.due_at);
  }
  expect(mailsTo(reader)).toEqual([]);

  await admin.post(`/organizations/${id}/restore`);
  await run();
  await admin.delete(`/organizations/${id}`);
  await run();
  for (const each of admins) expect(mailsTo(each)).toHaveLength(2);
});

test("an admin whose mailbox was full is notified later, although another admin was, and not asked all the time", async () => {
  const { id, admin } = await newOrganization(server);
  const [late, other] = [await newMember(server, id, "admin"), await newMember(server, id, "admin")];
  const mailsTo = ({ email }: { email: string }) => received.filter(({ to }) => to === email).length;
  const pass = () =>
    query(
      server,
      "app",
      "UPDATE memberships SET deletion_notice_due_at = now() - interval '1 second' WHERE organization_id = $1 AND deletion_notice_due_at IS NOT NULL",
      [id],
    );
  full = late.email;
  await admin.delete(`/organizations/${id}`);
  await run();
  await run();
  expect([refusals, mailsTo(late), mailsTo(other)]).toEqual([1, 0, 1]);
  await pass();
  await run();
  await run();
  expect([refusals, mailsTo(late), mailsTo(other)]).toEqual([2, 0, 1]);
  full = "";
  await pass();
  await run();
  await pass();
  await run();
  expect([refusals, mailsTo(late), mailsTo(other)]).toEqual([2, 1, 1]);
});

test("an organization whose admins' mailboxes do not exist is not notified again and again", async () => {
  const { id, admin } = await newOrganization(server);
  const { email } = await newMember(server, id, "admin");
  unknown = email;
  await admin.delete(`/organizations/${id}`);
  await run();
  unknown = "";
  await run();
  expect(received.filter(({ to }) => to === email)).toEqual([]);
});

test("a deletion that is requested while the notice of an earlier one is sent gets its own", async () => {
  const { id, admin } = await newOrganization(server);
  const { email } = await newMember(server, id, "admin");
  await admin.delete(`/organizations/${id}`);
  beforeAccepting.set(email, async () => {
    await admin.post(`/organizations/${id}/restore`);
    await admin.delete(`/organizations/${id}`);
  });
  await run();
  await run();
  await run();
  expect(received.filter(({ to }) => to === email)).toHaveLength(2);
});
