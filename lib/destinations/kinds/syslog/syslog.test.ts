import type { Socket } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { createSecureContext, createServer, type TLSSocket, type TlsOptions } from "node:tls";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type Authority,
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { formats } from "@/lib/destinations/formats";
import { deliver } from "@/lib/destinations/kinds/syslog/connection";
import { octetCounted, syslogMessage } from "@/lib/destinations/kinds/syslog/message";
import { parseNetwork } from "@/lib/networks";
import { batchOf, expired, failureOf, NOW, type Sending, sendBatch } from "@/server/testing/send-batch";
import { anySentEvent, SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

interface SyslogMessage {
  priority: number;
  time: string;
  host: string;
  app: string;
  processId: string;
  messageId: string;
  data: Record<string, Record<string, string>>;
  text: string;
}

/** SYSLOG-MSG of RFC 5424, 6. */
const MESSAGE = new RegExp(
  [
    /^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z) /.source,
    /([\x21-\x7e]{1,255}) ([\x21-\x7e]{1,48}) ([\x21-\x7e]{1,128}) ([\x21-\x7e]{1,32}) /.source,
    /((?:\[[\x21\x23-\x3c\x3e-\x5c\x5e-\x7e]{1,32}(?: [\x21\x23-\x3c\x3e-\x5c\x5e-\x7e]{1,32}="(?:[^"\\\]]|\\.)*")*\])+|-)/
      .source,
    / (.*)$/.source,
  ].join(""),
  "s",
);

function parse(message: string): SyslogMessage {
  const [, priority, time = "", host = "", app = "", processId = "", messageId = "", data = "", text = ""] =
    MESSAGE.exec(message) ?? [];
  if (priority === undefined) throw new Error(`no message of RFC 5424: ${message.slice(0, 300)}`);
  const elements = [...data.matchAll(/\[(\S+)((?: [^=]+="(?:[^"\\\]]|\\.)*")*)\]/g)];
  const parsed = elements.map(([, name = "", parameters = ""]) => {
    const pairs = [...parameters.matchAll(/ ([^=]+)="((?:[^"\\\]]|\\.)*)"/g)];
    return [name, Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, value]))] as const;
  });
  return { priority: Number(priority), time, host, app, processId, messageId, data: Object.fromEntries(parsed), text };
}

/** SYSLOG-FRAME of RFC 5425, 4.3: the length in bytes, a space, and the message. */
function framesIn(bytes: Buffer): string[] {
  const frames: string[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const [head = "", length = ""] = /^([1-9]\d*) /.exec(rest.subarray(0, 12).toString("latin1")) ?? [];
    const end = head.length + Number(length);
    if (head === "" || rest.length < end) throw new Error("a frame is not whole");
    frames.push(new TextDecoder("utf-8", { fatal: true }).decode(rest.subarray(head.length, end)));
    rest = rest.subarray(end);
  }
  return frames;
}

interface Receiver {
  port: number;
  received: Promise<Buffer>;
}

let authority: Authority;
let leaf: TestCertificate;
const loopback = { allowedNetworks: [parseNetwork("127.0.0.0/8")] };
const closers: (() => void)[] = [];
beforeAll(async () => {
  authority = await makeAuthority("syslog");
  leaf = await authority.leaf({ name: "syslog.test", sans: ["syslog.test", "127.0.0.1"] });
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const chainOf = (made: TestCertificate) => ({ cert: made.pem + authority.intermediate.pem, key: made.keyPem });

/** A receiver of syslog over TLS that reads everything and closes, unless `behave` does something else. */
async function receiver(options: TlsOptions = {}, behave?: (socket: TLSSocket) => void): Promise<Receiver> {
  const chunks: Buffer[] = [];
  let finished: (bytes: Buffer) => void = () => {};
  const received = new Promise<Buffer>((resolve) => {
    finished = resolve;
  });
  const sockets = new Set<Socket>();
  const server = createServer({ ...chainOf(leaf), ...options }, (socket) => {
    socket.on("error", () => {});
    if (behave) return behave(socket);
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("end", () => finished(Buffer.concat(chunks)));
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("tlsClientError", () => {});
  return { port: await listen(server, sockets), received };
}

async function listen(server: ReturnType<typeof createTcpServer>, sockets: Set<Socket>): Promise<number> {
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

const send = (port: number, more: Partial<Sending> = {}, settings: object = {}, batch = batchOf(3)) =>
  sendBatch(batch, {
    type: "syslog",
    settings: { host: "127.0.0.1", port, ca_certificate: authority.root.pem, ...settings },
    ...more,
  });

describe("messages", () => {
  test("follow RFC 5424, whatever the event, in one line", () => {
    fc.assert(
      fc.property(anySentEvent, fc.constantFrom("sealwatch", "ocsf", "ecs", "cef"), (event, name) => {
        const record = { event, value: formats[name].encode(event, { origin: SENT_ORIGIN }) };
        const message = syslogMessage(record, 1, { origin: SENT_ORIGIN }, NOW);
        expect(message).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
        const { text } = parse(message);
        if (name === "cef") expect(text).toBe(record.value);
        else {
          expect(text).toMatch(/^[\x20-\x7e]*$/);
          expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(record.value)));
        }
        expect(framesIn(Buffer.from(octetCounted(message)))).toEqual([message]);
      }),
      { numRuns: 100 },
    );
  });

  test("have the facility of audits, a severity, the host of the log, the action and a sequence", async () => {
    const { port, received } = await receiver();
    await send(port);
    const messages = framesIn(await received).map(parse);
    expect(messages).toHaveLength(3);
    expect(messages[1]).toEqual({
      ...{ priority: 13 * 8 + 5, time: sentEvent.occurred_at, host: "sealwatch.example.com", app: "sealwatch" },
      ...{ processId: "-", messageId: "api_key.create", text: JSON.stringify(batchOf(2).events[1]) },
      data: { timeQuality: { tzKnown: "1" }, origin: { software: "Sealwatch" }, meta: { sequenceId: "2" } },
    });
  });

  test("can be CEF, and say what is not sent", async () => {
    const { port, received } = await receiver();
    await send(port, { format: "cef" }, {}, batchOf(1, {}, [expired]));
    const messages = framesIn(await received).map(parse);
    expect(messages.map(({ messageId }) => messageId)).toEqual(["omitted", "api_key.create"]);
    for (const { text } of messages) expect(text).toMatch(/^CEF:0\|Sealwatch\|/);
  });

  test("that are many reach a receiver that reads slowly", async () => {
    const chunks: Buffer[] = [];
    const { port } = await receiver({}, (socket) => {
      socket.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        socket.pause();
        setImmediate(() => socket.resume());
      });
    });
    const batch = batchOf(1000, { details: { resource_name: "é".repeat(1000) } });
    await send(port, {}, {}, batch);
    const indexes = framesIn(Buffer.concat(chunks)).map(
      (frame) => (JSON.parse(parse(frame).text) as typeof sentEvent).seal.index,
    );
    expect(indexes).toEqual(batch.events.map(({ seal }) => seal.index));
  });

  test("are shown in the exchange of a test", async () => {
    const { port } = await receiver();
    const exchanges: Sending["exchanges"] = [];
    await send(port, { exchanges });
    expect(exchanges).toMatchObject([
      {
        request: {
          head: `127.0.0.1:${port}, TLS, octet counting, 3 messages`,
          body: expect.stringContaining("<109>1 "),
        },
        answer: { head: "TLSv1.3: read, and closed without an error", body: "" },
      },
    ]);
  });
});

describe("the receiver", () => {
  test("must have a certificate that is trusted", async () => {
    const { port } = await receiver();
    const other = await makeCertificate({ name: "Other Root", ca: true, untilDays: 10 });
    expect((await failureOf(send(port, {}, { ca_certificate: other.pem }))).message).toMatch(
      /^its certificate was rejected/,
    );
    expect((await failureOf(send(port, {}, { ca_certificate: null }))).message).toMatch(
      /^its certificate was rejected/,
    );
  });

  test("must have a certificate for its name", async () => {
    const wrong = await authority.leaf({ name: "other.test", sans: ["other.test"] });
    const { port } = await receiver(chainOf(wrong));
    expect((await failureOf(send(port))).message).toBe("its certificate was rejected (ERR_TLS_CERT_ALTNAME_INVALID)");
  });

  test("is told its name, so that it can choose its certificate", async () => {
    const names: string[] = [];
    const context = createSecureContext(chainOf(leaf));
    const other = await authority.leaf({ name: "other.test", sans: ["other.test"] });
    const { port, received } = await receiver({
      ...chainOf(other),
      SNICallback: (name, done) => {
        names.push(name);
        done(null, context);
      },
    });
    const guard = { ...loopback, resolve: async () => ["127.0.0.1"] };
    await send(port, { guard }, { host: "syslog.test" }, batchOf(1));
    expect([names, framesIn(await received)]).toEqual([["syslog.test"], [expect.any(String)]]);
  });

  test("is found by its name", async () => {
    const { port, received } = await receiver();
    const guard = { ...loopback, resolve: async () => ["127.0.0.1"] };
    await send(port, { guard }, { host: "syslog.test" }, batchOf(1));
    expect(framesIn(await received)).toHaveLength(1);
  });

  test("can require a certificate of ours", async () => {
    const client = await authority.leaf({ name: "sealwatch", sans: ["sealwatch.test"] });
    const options = { requestCert: true, rejectUnauthorized: true, ca: authority.root.pem };
    const { port, received } = await receiver(options);
    const { cert, key } = chainOf(client);
    await send(port, { secrets: { client_key: key } }, { client_certificate: cert });
    expect(framesIn(await received)).toHaveLength(3);
    expect((await failureOf(send(port))).message).toMatch(
      /^(its certificate was rejected|the connection|the receiver closed)/,
    );
  });

  test("gets nothing if the client certificate is incomplete or cannot be used", async () => {
    const { cert } = chainOf(leaf);
    expect((await failureOf(send(1, {}, { client_certificate: cert }))).message).toMatch(
      /^a client certificate needs its key/,
    );
    const secrets = { client_key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" };
    const failure = await failureOf(send(1, { secrets }, { client_certificate: cert }));
    expect(failure.message).toMatch(/^a certificate or key of the settings cannot be used \(ERR_/);
  });

  test("in a forbidden network is not reached", async () => {
    const { port } = await receiver();
    const guard = { allowedNetworks: [] };
    const resolve = async () => ["127.0.0.1"];
    expect((await failureOf(send(port, { guard }))).message).toBe("its address is in a forbidden network");
    const named = send(port, { guard: { ...guard, resolve } }, { host: "syslog.test" });
    expect((await failureOf(named)).message).toBe("its address is in a forbidden network");
  });
});

describe("a batch is not taken", () => {
  const large = () => batchOf(1000, { details: { resource_name: "x".repeat(4000) } });

  test("if the receiver closes before it has everything", async () => {
    const { port } = await receiver({}, (socket) => socket.once("data", () => socket.end()));
    expect((await failureOf(send(port, {}, {}, large()))).message).toMatch(/^the (receiver closed|connection)/);
  });

  test("if the receiver resets the connection", async () => {
    const { port } = await receiver({}, (socket) => socket.once("data", () => socket.destroy()));
    expect((await failureOf(send(port, {}, {}, large()))).message).toMatch(/^the (receiver closed|connection)/);
  });

  test("if nothing listens, or the listener does not speak TLS", async () => {
    const server = createTcpServer((socket) => socket.on("error", () => {}).end("220 mail.test ready\r\n"));
    const port = await listen(server, new Set());
    expect((await failureOf(send(port))).message).toMatch(/^(its certificate was rejected|the connection)/);
    for (const close of closers.splice(0)) close();
    expect((await failureOf(send(port))).message).toBe("the connection was refused");
  });

  test("if the receiver stays open after the last message, or takes no connection", async () => {
    const usual = {
      host: "127.0.0.1",
      tls: { ca: authority.root.pem },
      frames: ["1 x"],
      guard: loopback,
      idleMs: 5_000,
    };
    const { signal } = new AbortController();
    const { port } = await receiver({ allowHalfOpen: true }, (socket) => socket.resume());
    const message = "the receiver did not close the connection after the last event";
    const silent = await listen(createTcpServer(), new Set());
    await Promise.all([
      expect(deliver({ ...usual, port, signal })).rejects.toThrow(message),
      expect(deliver({ ...usual, port: silent, signal })).rejects.toThrow("no response in time"),
    ]);
  });

  test("if time is up before the receiver has closed", async () => {
    let isRead = () => {};
    const read = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const { port } = await receiver({ allowHalfOpen: true }, (socket) => socket.on("data", () => isRead()));
    const controller = new AbortController();
    const sent = send(port, { signal: controller.signal });
    await read;
    controller.abort(new Error("time is up"));
    await expect(sent).rejects.toThrow("time is up");
  });
});
