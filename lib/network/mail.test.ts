import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, test } from "vitest";
import { configure } from "@/lib/config";
import { mayBeSent, sendMail } from "@/lib/network/mail";

const mail = { to: ["to@acme.example"], subject: "Hello", text: "Hello", id: "01a1fd09-138a-732b-878b-cbdb1158cd55" };
/** Recipients of whom the server was told. */
const recipients: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo: ({ address }, _session, done) => {
    recipients.push(address);
    done();
  },
  onData: (stream) => void stream.resume(),
});
afterAll(() => server.close());

const errorBy = (SMTP_URL: string, deadlineMs?: number, to = mail.to) => {
  configure({ SMTP_URL, SMTP_FROM: "sealwatch@acme.example" });
  return sendMail({ ...mail, to }, undefined, deadlineMs).catch((error: unknown) => error);
};

test("a mail that a server took without an answer may have been sent, unlike one without a connection", async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  expect(mayBeSent(await errorBy(`smtp://127.0.0.1:${port}`, 500))).toBe(true);
  expect(mayBeSent(await errorBy("smtp://127.0.0.1:1"))).toBe(false);
});

test("an address is one recipient, whatever characters it has", async () => {
  const { port } = server.server.address() as AddressInfo;
  recipients.length = 0;
  await errorBy(`smtp://127.0.0.1:${port}`, 500, ["a,b@acme.example"]);
  expect(recipients).toHaveLength(1);
});
