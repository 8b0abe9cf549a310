import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { configure } from "@/lib/config";
import type { Invitation } from "@/lib/db/generated/app/client";
import { sendInvitation } from "@/lib/invitations/send";

const URL = "https://watch.example.test/invitations/iv_0123456789";
const invitation: Invitation = {
  organizationId: "01a1fd09-138a-732b-878b-cbdb1158cd54",
  id: "01a1fd09-138a-732b-878b-cbdb1158cd55",
  email: "guest@example.test",
  permission: "read",
  tokenHash: new Uint8Array(32),
  createdBy: "Ada",
  createdAt: new Date("2026-11-21T14:00:00Z"),
  expiresAt: new Date("2026-11-28T14:00:00Z"),
};

interface Received {
  from: string;
  to: string[];
  text: string;
}

/** A mail server on this machine, and the mails it received. `refuse`: the reply code to every recipient. */
async function mailServer(refuse?: number) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) =>
      done(refuse === undefined ? null : Object.assign(new Error("not here"), { responseCode: refuse })),
    onData: async (stream, { envelope: { mailFrom, rcptTo } }, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      // Undo quoted-printable: soft line breaks end in "=", and "=" itself is "=3D".
      const text = Buffer.concat(chunks).toString().replaceAll("=\r\n", "").replaceAll("=3D", "=");
      received.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), text });
      done();
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void server.close(() => {}));
  const { port } = server.server.address() as AddressInfo;
  configure({ SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: "Sealwatch <watch@example.test>" });
  return received;
}

test("an invitation is sent to its recipient, with the link, the inviter and the organization", async () => {
  const received = await mailServer();
  expect(await sendInvitation(invitation, "Example", URL)).toBe(true);
  expect(received).toHaveLength(1);
  const [mail] = received;
  expect(mail).toMatchObject({ from: "watch@example.test", to: ["guest@example.test"] });
  expect(mail?.text).toMatch(/^Subject: Ada invites you to Example on Sealwatch\r$/m);
  expect(mail?.text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(mail?.text).toContain(`\r\n${URL}\r\n`);
  expect(mail?.text).toContain("view everything there, but not change anything");
  expect(mail?.text).toContain("can be used for 7 days");
});

test("a name cannot inject a header or another recipient", async () => {
  const received = await mailServer();
  const name = "Ex\r\nBcc: everybody@example.test\r\n\r\nHello";
  expect(await sendInvitation({ ...invitation, createdBy: `Eve${name}` }, name, URL)).toBe(true);
  expect(received.map(({ to }) => to)).toEqual([["guest@example.test"]]);
  const [head] = received[0]?.text.split("\r\n\r\n") ?? [];
  expect(head).not.toMatch(/^Bcc:/im);
  expect(received[0]?.text).toContain("EveEx Bcc: everybody@example.test Hello invites you to the organization");
});

test.each([550, 451])("returns false if the server rejects the mail with %i", async (code) => {
  const received = await mailServer(code);
  expect(await sendInvitation(invitation, "Example", URL)).toBe(false);
  expect(received).toEqual([]);
});

test("sends nothing without a mail server", async () => {
  configure({ SMTP_URL: "", SMTP_FROM: "" });
  expect(await sendInvitation(invitation, "Example", URL)).toBe(false);
});
