import { hash } from "node:crypto";
import { decodeBase64 } from "@/lib/sealed-log/base64";
import { FormatError } from "@/lib/sealed-log/format-error";
import { canonicalJson, canonicalJsonWithoutNulls, canonicalMembersWithoutNulls, quote } from "@/lib/sealed-log/jcs";
import { HASH_BYTES, type Hash, leafHash, sha256 } from "@/lib/sealed-log/tree";

/** First byte of an event's entry. */
const EVENT = 1;
const ID_BYTES = 16;
export const NONCE_BYTES = 16;
export const SALT_BYTES = 16;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The parts of an event that are committed to one by one, in the order of the commitment. */
export const parts = ["request", "body", "caller", "outcome"] as const;
export type Part = (typeof parts)[number];
export type PerPart<Value> = Record<Part, Value>;

/** An event as JSON, in the form of `GET /audit-logs/{id}`. */
interface EventJson {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** Members that the outcome leaves out: those of other parts, the id and the time, which are in the entry, and the seal. */
const ELSEWHERE = new Set(["request", "authentication", "client", "id", "occurred_at", "seal"]);
/** Members left out of `request`, because the part `body` has them, and of `security`, because later versions compute them again. */
const BODY = new Set(["body", "body_encoding"]);
const COMPUTED = new Set(["is_security_event"]);
const NOTHING = new Set<string>();

/** The bytes of each part. `body` is as submitted, null if none was stored; it is not taken from the event. */
export function eventParts(event: EventJson, body: Uint8Array | null): PerPart<Uint8Array> {
  const { authentication, client } = event;
  return {
    request: Buffer.from(memberJson(event.request ?? {}, BODY)),
    body: body ?? Buffer.alloc(0),
    caller: Buffer.from(canonicalJsonWithoutNulls({ authentication, client })),
    outcome: Buffer.from(outcomeJson(event)),
  };
}

/** Leaves out null members, except within `details`. */
function outcomeJson(event: EventJson): string {
  let text = "";
  for (const name of Object.keys(event).sort()) {
    const value = event[name];
    if (value === undefined || value === null || ELSEWHERE.has(name)) continue;
    const json =
      name === "details" ? canonicalJson(value) : memberJson(value, name === "security" ? COMPUTED : NOTHING);
    text += `${text === "" ? "" : ","}${quote(name)}:${json}`;
  }
  return `{${text}}`;
}

/** Canonical JSON without nulls, of an object without the members named in `skipped`. */
function memberJson(value: unknown, skipped: ReadonlySet<string>): string {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? canonicalMembersWithoutNulls(value, skipped) : canonicalJsonWithoutNulls(value);
}

/**
 * The bytes of a body as it is in JSON; null if both are null. Throws FormatError if the two do not fit together or the text is not
 * canonical.
 */
export function decodeBody(body: unknown, encoding: unknown): Buffer | null {
  if (body === null && encoding === null) return null;
  if (typeof body === "string" && encoding === "utf8") {
    quote(body);
    return Buffer.from(body);
  }
  const bytes = typeof body === "string" && encoding === "base64" ? decodeBase64(body) : null;
  if (bytes === null) throw new FormatError("The body does not fit its encoding.");
  return bytes;
}

/** The salts of an event: SHA-512 of its nonce, cut into four. Throws RangeError unless the nonce has 16 bytes. */
export function saltsOf(nonce: Uint8Array): PerPart<Uint8Array> {
  if (nonce.length !== NONCE_BYTES) throw new RangeError(`a nonce has ${NONCE_BYTES} bytes`);
  const salts = Buffer.from(hash("sha512", nonce, "hex"), "hex");
  const cut = (position: number) => salts.subarray(position * SALT_BYTES, (position + 1) * SALT_BYTES);
  return { request: cut(0), body: cut(1), caller: cut(2), outcome: cut(3) };
}

/** What an event commits to for one part: SHA-256(salt ‖ bytes). */
export function partHash(salt: Uint8Array, bytes: Uint8Array): Hash {
  return sha256(Buffer.concat([salt, bytes], salt.length + bytes.length));
}

export function partHashes(nonce: Uint8Array, bytes: PerPart<Uint8Array>): PerPart<Hash> {
  const salts = saltsOf(nonce);
  return {
    request: partHash(salts.request, bytes.request),
    body: partHash(salts.body, bytes.body),
    caller: partHash(salts.caller, bytes.caller),
    outcome: partHash(salts.outcome, bytes.outcome),
  };
}

/** SHA-256 over the hashes of the four parts. */
export function commitmentOf({ request, body, caller, outcome }: PerPart<Hash>): Hash {
  return sha256(Buffer.concat([request, body, caller, outcome], 4 * HASH_BYTES));
}

/** The commitment to an event and its body, with a nonce of 16 random bytes. */
export function commitEventParts(event: EventJson, body: Uint8Array | null, nonce: Uint8Array): Hash {
  return commitmentOf(partHashes(nonce, eventParts(event, body)));
}

/** The commitment of an event that was sealed without being stored: 32 zero bytes. */
export const MISSING: Hash = Buffer.alloc(HASH_BYTES);

/** The entry of an event, version 1: 0x01 ‖ id ‖ commitment. `id` is a UUID in lower case. Throws RangeError. */
export function eventEntry(id: string, commitment: Hash): Buffer {
  if (!UUID.test(id) || commitment.length !== HASH_BYTES)
    throw new RangeError(`${id} with its commitment is not an entry`);
  const entry = Buffer.allocUnsafe(1 + ID_BYTES + HASH_BYTES);
  entry[0] = EVENT;
  entry.write(id.replaceAll("-", ""), 1, "hex");
  entry.set(commitment, 1 + ID_BYTES);
  return entry;
}

/** The hash of an event's leaf. Throws RangeError like `eventEntry`. */
export function eventLeafHash(id: string, commitment: Hash): Hash {
  return leafHash(eventEntry(id, commitment));
}
