import { Refusal, type Script, shown } from "@/lib/certificates/probe/dialogue";
import { readAll, readDer } from "@/lib/der";

/** The StartTLS extended request `1.3.6.1.4.1.1466.20037` as message 1 (RFC 4511, 4.14). */
const LDAP_START_TLS = Buffer.concat([
  Buffer.from("301d02010177188016", "hex"),
  Buffer.from("1.3.6.1.4.1.1466.20037", "latin1"),
]);
/** `[APPLICATION 24]`, constructed. */
const LDAP_EXTENDED_RESPONSE = 0x78;
const LDAP_UNKNOWN_TO_SERVER = [2, 12, 53];

/** Reads a BER element of definite length, which LDAP requires. */
function* readBer(): Generator<{ bytes: number }, Buffer, Buffer> {
  const head = yield { bytes: 2 };
  const short = head[1] ?? 0;
  if (short < 0x80) return Buffer.concat([head, yield { bytes: short }]);
  const size = yield { bytes: short & 0x7f };
  if (size.length === 0 || size.length > 4) throw new Refusal("unexpected_answer", shown(head));
  return Buffer.concat([head, size, yield { bytes: size.readUIntBE(0, size.length) }]);
}

/** RFC 4511, 4.14. */
export function* ldap(): Script {
  yield { say: LDAP_START_TLS };
  const message = yield* readBer();
  let code: number | undefined;
  let text: string;
  try {
    const [, response] = readAll(readDer(message).element.content);
    if (response?.tag !== LDAP_EXTENDED_RESPONSE) throw new RangeError("no extended response");
    const [result, , diagnostic] = readAll(response.content);
    code = result?.content[0];
    text = `result code ${code} ${shown(diagnostic?.content ?? "")}`.trim();
  } catch {
    throw new Refusal("unexpected_answer", shown(message));
  }
  if (code === 0) return;
  throw new Refusal(LDAP_UNKNOWN_TO_SERVER.includes(code ?? -1) ? "not_offered" : "refused", text);
}

/** SSLRequest (PostgreSQL documentation, "Message Formats"). */
const POSTGRES_SSL_REQUEST = Buffer.from("0000000804d2162f", "hex");

/** PostgreSQL documentation, "SSL Session Encryption". */
export function* postgres(): Script {
  yield { say: POSTGRES_SSL_REQUEST };
  const answer = (yield { bytes: 1 }).toString("latin1");
  if (answer === "S") return;
  throw new Refusal(answer === "N" ? "not_offered" : answer === "E" ? "refused" : "unexpected_answer", shown(answer));
}

const MYSQL_SSL = 0x0800;
/** CLIENT_PROTOCOL_41, CLIENT_SECURE_CONNECTION and CLIENT_SSL. */
const MYSQL_CAPABILITIES = 0x0200 | 0x8000 | MYSQL_SSL;

/** MySQL documentation, "Connection Phase": the server's greeting, then the client's SSLRequest as packet 1. */
export function* mysql(): Script {
  const head = yield { bytes: 4 };
  const greeting = yield { bytes: head.readUIntLE(0, 3) };
  // An error instead of a greeting: its number, then a message ("Host … is blocked").
  if (greeting[0] === 0xff) throw new Refusal("refused", shown(greeting.subarray(3)));
  const version = greeting.indexOf(0, 1);
  const capabilities = version + 1 + 4 + 8 + 1;
  if (greeting[0] !== 10 || version === -1 || greeting.length < capabilities + 2)
    throw new Refusal("unexpected_answer", shown(Buffer.concat([head, greeting])));
  if ((greeting.readUInt16LE(capabilities) & MYSQL_SSL) === 0)
    throw new Refusal("not_offered", shown(greeting.subarray(1, version)));
  const request = Buffer.alloc(36);
  request.writeUIntLE(32, 0, 3);
  request[3] = 1;
  request.writeUInt32LE(MYSQL_CAPABILITIES, 4);
  request.writeUInt32LE(0x0100_0000, 8);
  request[12] = 33;
  yield { say: request };
}
