import { Refusal, type Script, shown } from "@/lib/certificates/probe/dialogue";

type Part<Result> = Generator<Script extends Generator<infer Move> ? Move : never, Result, Buffer>;

/** The client's name; RFC 6761 reserves it, so that it never belongs to anyone. */
const OURSELVES = "sealwatch.invalid";

function* readLine(): Part<string> {
  const bytes = yield { line: true };
  return bytes.toString("latin1").replace(/\r?\n$/, "");
}

/** Reads a reply of SMTP or FTP: lines `250-…` up to `250 …`. */
function* readReply(): Part<{ code: string; text: string }> {
  const lines: string[] = [];
  let code: string | undefined;
  for (;;) {
    const line = yield* readLine();
    lines.push(line);
    const [, number = "", mark = ""] = /^(\d{3})([ -]|$)/.exec(line) ?? [];
    code ??= number;
    // Within an FTP reply, intermediate lines need no number (RFC 959).
    if (code === "") throw new Refusal("unexpected_answer", shown(line));
    if (number === code && mark !== "-") return { code, text: lines.join(" / ") };
  }
}

/** RFC 3207. */
export function* smtp(): Script {
  const greeting = yield* readReply();
  if (greeting.code !== "220") throw new Refusal("refused", shown(greeting.text));
  yield { say: `EHLO ${OURSELVES}\r\n` };
  const offer = yield* readReply();
  if (offer.code !== "250" || !/\bSTARTTLS\b/i.test(offer.text)) throw new Refusal("not_offered", shown(offer.text));
  yield { say: "STARTTLS\r\n" };
  const answer = yield* readReply();
  if (answer.code !== "220") throw new Refusal("refused", shown(answer.text));
}

/** RFC 4217. Does not query features first: many servers support TLS without announcing it. */
export function* ftp(): Script {
  const greeting = yield* readReply();
  if (greeting.code !== "220") throw new Refusal("refused", shown(greeting.text));
  yield { say: "AUTH TLS\r\n" };
  const answer = yield* readReply();
  if (answer.code === "234") return;
  throw new Refusal(/^5/.test(answer.code) ? "not_offered" : "refused", shown(answer.text));
}

/** Reads lines up to the response to `tag`, including unsolicited lines before it. */
function* readTagged(tag: string): Part<{ status: string; text: string }> {
  const lines: string[] = [];
  for (;;) {
    const line = yield* readLine();
    lines.push(line);
    const [, status] = new RegExp(`^${tag} (OK|NO|BAD)\\b`, "i").exec(line) ?? [];
    if (status !== undefined) return { status: status.toUpperCase(), text: lines.join(" / ") };
    if (!line.startsWith("*")) throw new Refusal("unexpected_answer", shown(line));
  }
}

/** RFC 9051, 6.2.1. */
export function* imap(): Script {
  const greeting = yield* readLine();
  if (!/^\* OK\b/i.test(greeting))
    throw new Refusal(/^\* (BYE|PREAUTH)\b/i.test(greeting) ? "refused" : "unexpected_answer", shown(greeting));
  yield { say: "a1 CAPABILITY\r\n" };
  const offer = yield* readTagged("a1");
  if (!/\bSTARTTLS\b/i.test(offer.text)) throw new Refusal("not_offered", shown(offer.text));
  yield { say: "a2 STARTTLS\r\n" };
  const answer = yield* readTagged("a2");
  if (answer.status !== "OK") throw new Refusal("refused", shown(answer.text));
}

/** RFC 2595, 4. Does not query features first: not every server supports CAPA. */
export function* pop3(): Script {
  const greeting = yield* readLine();
  if (!/^\+OK\b/i.test(greeting))
    throw new Refusal(/^-ERR\b/i.test(greeting) ? "refused" : "unexpected_answer", shown(greeting));
  yield { say: "STLS\r\n" };
  const answer = yield* readLine();
  if (/^\+OK\b/i.test(answer)) return;
  throw new Refusal(/^-ERR\b/i.test(answer) ? "not_offered" : "unexpected_answer", shown(answer));
}

const XMPP_TLS = "urn:ietf:params:xml:ns:xmpp-tls";
/** The port for connections between servers (RFC 6120, 14.7). */
const SERVER_PORT = 5269;

/** RFC 6120, 5. Host names need no escaping in XML. */
export function* xmpp(name: string, port: number): Script {
  const kind = port === SERVER_PORT ? "server" : "client";
  yield {
    say: `<?xml version='1.0'?><stream:stream to='${name}' version='1.0' xmlns='jabber:${kind}' xmlns:stream='http://etherx.jabber.org/streams'>`,
  };
  const features = (yield { until: ["</stream:features>", "<stream:features/>", "</stream:stream>"] }).toString("utf8");
  if (!features.includes("<stream:features")) throw new Refusal("refused", shown(features));
  if (!features.includes(XMPP_TLS)) throw new Refusal("not_offered", shown(features));
  yield { say: `<starttls xmlns='${XMPP_TLS}'/>` };
  const answer = (yield { until: ["/>", "</proceed>", "</stream:stream>"] }).toString("utf8");
  if (!answer.includes("<proceed")) throw new Refusal("refused", shown(answer));
}
