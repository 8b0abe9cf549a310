import { TAG } from "@/lib/der";
import { der, imprintOf } from "@/lib/sealed-log/time-stamp";

const EXPLICIT_0 = TAG.CONTEXT + TAG.CONSTRUCTED;
const SIGNED_DATA = Buffer.from("2a864886f70d010702", "hex");
const TST_INFO = Buffer.from("2a864886f70d0109100104", "hex");
const POLICY = Buffer.from("2a0304", "hex");
const integer = (bytes: Uint8Array) => der(TAG.INTEGER, bytes);
const number = (value: number) => integer(Buffer.from([value]));

/**
 * A token over a text, or with an imprint (RFC 3161), without an authority's signature, which nobody verifies here. `time` in Unix
 * milliseconds.
 */
export function unsignedToken(over: string | Uint8Array, time: number, nonce?: Uint8Array): Buffer {
  const digits = `${new Date(time).toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
  const info = der(
    TAG.SEQUENCE,
    number(1),
    der(TAG.OID, POLICY),
    typeof over === "string" ? imprintOf(over) : over,
    number(7),
    der(TAG.GENERALIZED_TIME, Buffer.from(digits)),
    ...(nonce === undefined ? [] : [integer(nonce)]),
  );
  const encapsulated = der(TAG.SEQUENCE, der(TAG.OID, TST_INFO), der(EXPLICIT_0, der(TAG.OCTET_STRING, info)));
  const signed = der(TAG.SEQUENCE, number(3), der(TAG.SET), encapsulated, der(TAG.SET));
  return der(TAG.SEQUENCE, der(TAG.OID, SIGNED_DATA), der(EXPLICIT_0, signed));
}

/** The reply to a request: status 0 and the token, or another status alone. */
export function stampReply(status: number, token: Uint8Array = Buffer.alloc(0)): Buffer {
  return der(TAG.SEQUENCE, der(TAG.SEQUENCE, number(status)), token);
}
