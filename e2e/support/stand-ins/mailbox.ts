import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail server on loopback that keeps what it accepts. */
export interface Mailbox {
  url: string;
  /** Whole messages with headers. */
  received: string[];
  /** Status codes with which it refuses recipients. */
  refused: Map<string, number>;
  /** While true, connections get no greeting. */
  hangs: boolean;
  close: () => void;
}

/** Starts a mail server that accepts everything. */
export async function startMailbox(): Promise<Mailbox> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onConnect: (_session, done) => {
      if (!mailbox.hangs) done();
    },
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = mailbox.refused.get(address);
      done(responseCode === undefined ? null : Object.assign(new Error("not now"), { responseCode }));
    },
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      mailbox.received.push(Buffer.concat(chunks).toString().replaceAll("=\r\n", ""));
      done();
    },
  });
  // Clients give up while they wait for a greeting.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const mailbox: Mailbox = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received: [],
    refused: new Map(),
    hangs: false,
    close: () => server.close(() => {}),
  };
  return mailbox;
}
