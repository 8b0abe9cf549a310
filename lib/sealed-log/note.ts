import type { KeyObject } from "node:crypto";
import { decodeBase64, encodeBase64 } from "@/lib/sealed-log/base64";
import { SIGNATURE_BYTES, signEd25519, verifyEd25519 } from "@/lib/sealed-log/ed25519";
import { FormatError } from "@/lib/sealed-log/format-error";
import { COSIGNATURE, ED25519, isKeyName, KEY_ID_BYTES, type VerifierKey } from "@/lib/sealed-log/vkey";

/** Maximum number of signatures of a note; signed-note asks verifiers to accept at least 16. */
const MAX_SIGNATURES = 100;
const TIMESTAMP_BYTES = 8;
const MAX_TIMESTAMP = BigInt(Number.MAX_SAFE_INTEGER);
const LINE = /^\u2014 (\S+) (\S+)$/u;
/** Control characters below U+0020 other than the newline, and lone surrogates, which UTF-8 cannot encode. */
const FORBIDDEN = /[^\P{Cc}\n\x7f-\x9f]|\p{Cs}/u;

/** A signature line: the name and id of its key, and the signature. */
export interface NoteSignature {
  name: string;
  /** Four bytes in lower-case hex. */
  id: string;
  signature: Buffer;
}

/** A C2SP signed note. `text` ends in a newline. */
export interface Note {
  text: string;
  signatures: NoteSignature[];
}

/** Normalizes a note that a person kept: e-mail has CRLF line ends, and copying adds or removes empty lines around it. */
export function keptNote(text: string): string {
  return `${text.replace(/[ \t]*\r?\n/g, "\n").trim()}\n`;
}

/** Reads a note. Its text ends at the last empty line. Throws FormatError. */
export function parseNote(note: string): Note {
  if (FORBIDDEN.test(note)) throw new FormatError("A note has control characters or lone surrogates.");
  const end = note.lastIndexOf("\n\n");
  if (end < 0) throw new FormatError("A note has an empty line in front of its signatures.");
  const lines = note.slice(end + 2).split("\n");
  if (lines.pop() !== "") throw new FormatError("A note ends in a newline.");
  if (lines.length === 0) throw new FormatError("A note has at least one signature.");
  if (lines.length > MAX_SIGNATURES) throw new FormatError(`A note has at most ${MAX_SIGNATURES} signatures.`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseLine) };
}

function parseLine(line: string): NoteSignature {
  const [, name = "", encoded = ""] = LINE.exec(line) ?? [];
  const bytes = decodeBase64(encoded);
  if (!isKeyName(name) || bytes === null || bytes.length <= KEY_ID_BYTES) {
    throw new FormatError("A line of a note is not a signature.");
  }
  return { name, id: bytes.toString("hex", 0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) };
}

export function formatNote({ text, signatures }: Note): string {
  const lines = signatures.map(({ name, id, signature }) => {
    return `— ${name} ${encodeBase64(Buffer.concat([Buffer.from(id, "hex"), signature]))}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

/** Signs a note's text as a log. `key` is the private key of `verifier`. */
export function signNote(text: string, key: KeyObject, verifier: VerifierKey): NoteSignature {
  return { name: verifier.name, id: verifier.id, signature: signEd25519(Buffer.from(text), key) };
}

/** Signs a checkpoint's text as a witness, at `time` in Unix seconds (C2SP tlog-cosignature, version 1). */
export function cosign(text: string, time: number, key: KeyObject, witness: VerifierKey): NoteSignature {
  const timestamp = Buffer.alloc(TIMESTAMP_BYTES);
  timestamp.writeBigUInt64BE(BigInt(time));
  const signature = Buffer.concat([timestamp, signEd25519(cosignedMessage(text, BigInt(time)), key)]);
  return { name: witness.name, id: witness.id, signature };
}

/** A signature that was verified. */
interface VerifiedSignature {
  key: VerifierKey;
  /** Unix seconds, as the witness states them; null for the signature of a log. */
  time: number | null;
}

/**
 * Verifies the signatures by known keys, matched by name and id; those of other keys are ignored. Returns the verified ones, none
 * if no known key signed. Throws FormatError if a signature of a known key is invalid.
 */
export function verifyNote({ text, signatures }: Note, keys: readonly VerifierKey[]): VerifiedSignature[] {
  return signatures.flatMap((signature) => {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.id);
    return key === undefined ? [] : [verifySignature(text, signature.signature, key)];
  });
}

function verifySignature(text: string, signature: Buffer, key: VerifierKey): VerifiedSignature {
  const isCosignature = key.type === COSIGNATURE;
  const prefix = isCosignature ? TIMESTAMP_BYTES : 0;
  if (signature.length !== prefix + SIGNATURE_BYTES) throw invalid(key);
  const time = isCosignature ? signature.readBigUInt64BE() : null;
  if (time !== null && time > MAX_TIMESTAMP) throw invalid(key);
  const message = time === null ? Buffer.from(text) : cosignedMessage(text, time);
  if (!verifyEd25519(message, signature.subarray(prefix), key.publicKey)) throw invalid(key);
  return { key, time: time === null ? null : Number(time) };
}

function cosignedMessage(text: string, time: bigint): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
}

function invalid({ name, id, type }: VerifierKey): FormatError {
  const what = type === ED25519 ? "signature" : "cosignature";
  return new FormatError(`The ${what} of ${name} (${id}) is invalid.`);
}
