import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { converse, Refusal } from "@/lib/certificates/probe/dialogue";
import { waysToTls } from "@/lib/certificates/probe/protocols";
import type { Protocol } from "@/lib/certificates/targets";

/** What the peer and the client said, as Latin-1; `<` is the peer. */
type Recording = readonly (readonly ["<" | ">", string])[];

const bytes = (text: string) => Buffer.from(text, "latin1");

/** Recorded with Exim 4.96, Dovecot 2.3.19, vsftpd 3.0.3, OpenLDAP 2.5.13, PostgreSQL 18, MariaDB 10.11 and Prosody 0.12.3. */
const recordings: Partial<Record<Protocol, Recording>> = {
  smtp: [
    ["<", "220 mail.example.test ESMTP Exim 4.96 Sat, 21 Nov 2026 12:33:12 +0000\r\n"],
    [">", "EHLO sealwatch.invalid\r\n"],
    [
      "<",
      "250-mail.example.test Hello sealwatch.invalid [127.0.0.1]\r\n250-SIZE 52428800\r\n250-8BITMIME\r\n250-PIPELINING\r\n250-PIPECONNECT\r\n250-CHUNKING\r\n250-STARTTLS\r\n250-SMTPUTF8\r\n250 HELP\r\n",
    ],
    [">", "STARTTLS\r\n"],
    ["<", "220 TLS go ahead\r\n"],
  ],
  imap: [
    [
      "<",
      "* OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ STARTTLS AUTH=PLAIN] Dovecot (Debian) ready.\r\n",
    ],
    [">", "a1 CAPABILITY\r\n"],
    [
      "<",
      "* CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ STARTTLS AUTH=PLAIN\r\na1 OK Pre-login capabilities listed, post-login capabilities have more.\r\n",
    ],
    [">", "a2 STARTTLS\r\n"],
    ["<", "a2 OK Begin TLS negotiation now.\r\n"],
  ],
  pop3: [
    ["<", "+OK Dovecot (Debian) ready.\r\n"],
    [">", "STLS\r\n"],
    ["<", "+OK Begin TLS negotiation now.\r\n"],
  ],
  ftp: [
    ["<", "220 (vsFTPd 3.0.3)\r\n"],
    [">", "AUTH TLS\r\n"],
    ["<", "234 Proceed with negotiation.\r\n"],
  ],
  ldap: [
    [">", "0\u001d\u0002\u0001\u0001w\u0018\u0080\u00161.3.6.1.4.1.1466.20037"],
    ["<", "0\f\u0002\u0001\u0001x\u0007\n\u0001\u0000\u0004\u0000\u0004\u0000"],
  ],
  postgres: [
    [">", "\u0000\u0000\u0000\b\u0004\u00d2\u0016/"],
    ["<", "S"],
  ],
  mysql: [
    [
      "<",
      "d\u0000\u0000\u0000\n5.5.5-10.11.19-MariaDB-0+deb12u1\u0000\u0004\u0000\u0000\u0000w`\\.lVLX\u0000\u00fe\u00ff\b\u0002\u0000\u00ff\u0081\u0015\u0000\u0000\u0000\u0000\u0000\u0000\u001d\u0000\u0000\u0000U%U\\Q_hotz)Z\u0000mysql_native_password\u0000",
    ],
    [">", ` \u0000\u0000\u0001\u0000\u008a\u0000\u0000\u0000\u0000\u0000\u0001!${"\u0000".repeat(23)}`],
  ],
  xmpp: [
    [
      ">",
      "<?xml version='1.0'?><stream:stream to='localhost' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>",
    ],
    [
      "<",
      "<?xml version='1.0'?><stream:stream id='881be8bb-b778-48bc-bd0e-8c3a1d7b73f0' xml:lang='en' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' from='localhost'><stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>",
    ],
    [">", "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"],
    ["<", "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"],
  ],
};

const spoken = Object.entries(recordings) as [Protocol, Recording][];

function begin(protocol: Protocol, port = 5222) {
  const { script } = waysToTls[protocol];
  if (script === undefined) throw new Error(`${protocol} has no dialogue`);
  return converse(script("localhost", port));
}

/** Plays the peer's part, cut at the given points; returns the client's part and whether TLS begins. */
function play(protocol: Protocol, received: readonly string[], cuts: readonly number[] = []) {
  const receive = begin(protocol);
  let { say, done } = receive(new Uint8Array());
  let said = say.toString("latin1");
  for (const part of received) {
    const places = [...new Set(cuts.map((cut) => cut % part.length))].filter((cut) => cut > 0).sort((a, b) => a - b);
    for (const [at, from] of [0, ...places].entries()) {
      expect(done).toBe(false);
      ({ say, done } = receive(bytes(part.slice(from, [...places, part.length][at]))));
      said += say.toString("latin1");
    }
  }
  return { said, done };
}

function refusal(protocol: Protocol, ...received: string[]): Pick<Refusal, "reason" | "said"> {
  try {
    play(protocol, received);
  } catch (error) {
    if (error instanceof Refusal) return { reason: error.reason, said: error.said };
    throw error;
  }
  throw new Error("it was not refused");
}

describe("recorded dialogues", () => {
  test.each(spoken)("%s reaches TLS, however the bytes are split", (protocol, recording) => {
    const received = recording.flatMap(([who, text]) => (who === "<" ? [text] : []));
    const ours = recording.flatMap(([who, text]) => (who === ">" ? [text] : [])).join("");
    expect(play(protocol, received)).toEqual({ said: ours, done: true });
    fc.assert(
      fc.property(fc.array(fc.nat(2000), { maxLength: 8 }), (cuts) => {
        expect(play(protocol, received, cuts)).toEqual({ said: ours, done: true });
      }),
      { numRuns: 200 },
    );
  });

  test.each(spoken)("%s: rejects or keeps waiting, whatever the peer says", (protocol) => {
    const anything = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ maxLength: 300 }).map(bytes));
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 5 }), (parts) => {
        const receive = begin(protocol);
        receive(new Uint8Array());
        try {
          for (const part of parts) if (receive(part).done) break;
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
    );
  });

  test.each(spoken)("%s: rejects data injected before encryption", (protocol, recording) => {
    const received = recording.flatMap(([who, text]) => (who === "<" ? [text] : []));
    // The MySQL client speaks last, so early data follows the greeting.
    const injected = [...received.slice(0, -1), `${received.at(-1)}a3 OK injected\r\n`];
    expect(refusal(protocol, ...injected)).toEqual({ reason: "said_more", said: "a3 OK injected" });
  });

  test.each(spoken)("%s: limits an endless peer", (protocol) => {
    const receive = begin(protocol);
    receive(new Uint8Array());
    const endless = () => {
      for (let n = 0; n < 100; n++) receive(bytes("* 220-+OK and so on ".repeat(50)));
    };
    expect(endless).toThrow(Refusal);
  });
});

describe("refusals, with the peer's words", () => {
  test.each([
    ["smtp", ["554 no service\r\n"], "refused", "554 no service"],
    ["smtp", ["220 a\r\n", "250-a\r\n250 SIZE 1\r\n"], "not_offered", "250-a / 250 SIZE 1"],
    ["smtp", ["220 a\r\n", "502 unknown\r\n"], "not_offered", "502 unknown"],
    ["smtp", ["220 a\r\n", "250 STARTTLS\r\n", "454 not now\r\n"], "refused", "454 not now"],
    ["smtp", ["HTTP/1.1 400 Bad Request\r\n"], "unexpected_answer", "HTTP/1.1 400 Bad Request"],
    ["imap", ["* BYE later\r\n"], "refused", "* BYE later"],
    ["imap", ["* PREAUTH you are root\r\n"], "refused", "* PREAUTH you are root"],
    ["imap", ["* OK hi\r\n", "* CAPABILITY IMAP4rev1\r\na1 OK\r\n"], "not_offered", "* CAPABILITY IMAP4rev1 / a1 OK"],
    ["imap", ["* OK hi\r\n", "* CAPABILITY STARTTLS\r\na1 OK\r\n", "a2 NO broken\r\n"], "refused", "a2 NO broken"],
    ["pop3", ["-ERR later\r\n"], "refused", "-ERR later"],
    ["pop3", ["+OK hi\r\n", "-ERR what?\r\n"], "not_offered", "-ERR what?"],
    ["ftp", ["421 full\r\n"], "refused", "421 full"],
    ["ftp", ["220-Welcome\r\nto us\r\n220 go\r\n", "502 no\r\n"], "not_offered", "502 no"],
    ["ftp", ["220 go\r\n", "431 no certificate\r\n"], "refused", "431 no certificate"],
    ["ldap", ["0\u000f\u0002\u0001\u0001x\n\n\u00014\u0004\u0000\u0004\u0003off"], "refused", "result code 52 off"],
    ["ldap", ["0\f\u0002\u0001\u0001x\u0007\n\u0001\u0002\u0004\u0000\u0004\u0000"], "not_offered", "result code 2"],
    ["ldap", ["SSH-2.0-OpenSSH_9.2\r\n".padEnd(90, "x")], "unexpected_answer", undefined],
    ["postgres", ["N"], "not_offered", "N"],
    ["postgres", ["E"], "refused", "E"],
    ["postgres", ["H"], "unexpected_answer", "H"],
    ["mysql", ["\u0014\u0000\u0000\u0000\u00ff\u0069\u0004Host is blocked.."], "refused", "Host is blocked.."],
    ["mysql", ["\u0003\u0000\u0000\u0000abc"], "unexpected_answer", undefined],
    ["xmpp", ["<stream:stream><stream:features></stream:features>"], "not_offered", undefined],
    ["xmpp", ["<stream:error><host-unknown/></stream:error></stream:stream>"], "refused", undefined],
    [
      "xmpp",
      ["<stream:stream><stream:features>urn:ietf:params:xml:ns:xmpp-tls</stream:features>", "<failure/>"],
      "refused",
      "<failure/>",
    ],
  ] as const)("%s %j: %s", (protocol, received, reason, said) => {
    const refused = refusal(protocol, ...received);
    expect(refused.reason).toBe(reason);
    if (said !== undefined) expect(refused.said).toBe(said);
  });

  test("a MySQL server without TLS", () => {
    const greeting = Buffer.from(recordings.mysql?.[0]?.[1] ?? "", "latin1");
    // CLIENT_SSL is bit 11 of the capabilities, which follow the version, thread and first part of the salt.
    const at = greeting.indexOf(0, 5) + 1 + 4 + 8 + 1;
    greeting.writeUInt16LE(greeting.readUInt16LE(at) & ~0x0800, at);
    expect(refusal("mysql", greeting.toString("latin1"))).toEqual({
      reason: "not_offered",
      said: "5.5.5-10.11.19-MariaDB-0+deb12u1",
    });
  });

  test("XMPP servers talk to each other in their own namespace", () => {
    expect(begin("xmpp", 5269)(new Uint8Array()).say.toString()).toContain("xmlns='jabber:server'");
  });
});
