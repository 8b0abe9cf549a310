import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { formatCheckpoint, parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { privateKeyOf } from "@/lib/sealed-log/ed25519";
import { FormatError } from "@/lib/sealed-log/format-error";
import { cosign, formatNote, keptNote, parseNote, signNote, verifyNote } from "@/lib/sealed-log/note";
import { COSIGNATURE, formatVkey, parseVkey, verifierKeyOf } from "@/lib/sealed-log/vkey";

/** The example of C2SP signed-note, version 1. */
const EXAMPLE_VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const EXAMPLE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

/** The example of golang.org/x/mod/sumdb/note, with its private key. */
const GO_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_SEED = Buffer.from("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz", "base64").subarray(1);
const GO_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

/** A checkpoint of a public log with the cosignature of a public witness (C2SP tlog-cosignature). */
const WITNESS_VKEY = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2";
const PUBLIC_LOG_VKEY = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f";
const COSIGNED = `arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
`;

const verified = (note: string, ...vkeys: string[]) => verifyNote(parseNote(note), vkeys.map(parseVkey));

describe("published notes", () => {
  test("the example of signed-note is verified by its key", () => {
    expect(verified(EXAMPLE, EXAMPLE_VKEY)).toEqual([{ key: parseVkey(EXAMPLE_VKEY), time: null }]);
    expect(parseNote(EXAMPLE).text).toBe("This is an example message.\n");
    expect(formatNote(parseNote(EXAMPLE))).toBe(EXAMPLE);
  });

  test("a note that came by mail is the same note", () => {
    const mailed = `\r\n${EXAMPLE.replaceAll("\n", "\r\n")}\r\n`;
    expect([keptNote(mailed), keptNote(EXAMPLE.trim()), keptNote(EXAMPLE)]).toEqual([EXAMPLE, EXAMPLE, EXAMPLE]);
  });

  test("the example of Go's notes is signed byte for byte alike", () => {
    const key = privateKeyOf(GO_SEED);
    const verifier = verifierKeyOf("PeterNeumann", key);
    const { text } = parseNote(GO_NOTE);
    expect(formatVkey(verifier)).toBe(GO_VKEY);
    expect(formatNote({ text, signatures: [signNote(text, key, verifier)] })).toBe(GO_NOTE);
    expect(verified(GO_NOTE, GO_VKEY)).toHaveLength(1);
  });

  test("the cosignature of a public witness is verified, with its time", () => {
    const [log, witness] = verified(COSIGNED, PUBLIC_LOG_VKEY, WITNESS_VKEY);
    expect([log?.time, witness?.key.type, witness?.time]).toEqual([null, COSIGNATURE, 0x6a122120]);
    expect(parseCheckpoint(parseNote(COSIGNED).text)).toMatchObject({ size: 1_432_088_532 });
  });
});

test("signatures of unknown keys are ignored, even of the same name or the same id", () => {
  expect(verified(EXAMPLE, GO_VKEY)).toEqual([]);
  expect(verified(EXAMPLE.replace("— example.com/foo ", "— example.com/bar "), EXAMPLE_VKEY)).toEqual([]);
  expect(verified(EXAMPLE.replace("Uw2QOk", "Uw2QO0"), EXAMPLE_VKEY)).toEqual([]);
});

test.each([
  ["the text", EXAMPLE.replace("example message", "example massage")],
  ["the signature", EXAMPLE.replace("n8srV1", "n8srV2")],
])("a note of a known key with another byte in %s is refused", (_, note) => {
  expect(() => verified(note, EXAMPLE_VKEY)).toThrow("The signature of example.com/foo (530d903a) is invalid.");
});

test("one invalid signature of a known key refuses a note with a valid one", () => {
  const [key] = EXAMPLE.match(/^— .*$/m) ?? [];
  const note = `${EXAMPLE}${key?.replace("n8srV1", "n8srV2")}\n`;
  expect(() => verified(note, EXAMPLE_VKEY)).toThrow(FormatError);
});

test("a cosignature of another time is refused", () => {
  expect(() => verified(COSIGNED.replace("5wAAAABqEiEg", "5wAAAABqEiEh"), WITNESS_VKEY)).toThrow(
    "The cosignature of remora.n621.de (da77ade7) is invalid.",
  );
});

test("a text with empty lines ends at the last one", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const verifier = verifierKeyOf("example.com/log", privateKey);
  const witness = verifierKeyOf("witness.example", privateKey, COSIGNATURE);
  const text = "one\n\ntwo\n";
  const signatures = [signNote(text, privateKey, verifier), cosign(text, 1_700_000_000, privateKey, witness)];
  const note = parseNote(formatNote({ text, signatures }));
  expect(note.text).toBe(text);
  expect(verifyNote(note, [verifier, witness]).map(({ time }) => time)).toEqual([null, 1_700_000_000]);
});

describe("refused notes", () => {
  test.each([
    ["without an empty line", EXAMPLE.replace("\n\n", "\n")],
    ["without signatures", "text\n\n"],
    ["without the last newline", EXAMPLE.trimEnd()],
    ["with a carriage return", EXAMPLE.replace("message.", "message.\r")],
    ["with a hyphen for the dash", EXAMPLE.replace("—", "-")],
    ["with two spaces", EXAMPLE.replace("foo Uw", "foo  Uw")],
    ["with a plus in the name", EXAMPLE.replace("foo Uw", "foo+ Uw")],
    ["with white space in the name", EXAMPLE.replace("/foo", "/\u00a0foo")],
    ["with base64 without padding", EXAMPLE.replace("aQM=", "aQM")],
    ["with base64 that is not canonical", EXAMPLE.replace("aQM=", "aQN=")],
    ["with a key id only", EXAMPLE.replace(/Uw2.*=/, "Uw2QOg==")],
    ["with a lone surrogate", EXAMPLE.replace("message", "\ud800")],
    ["with 101 signatures", `text\n\n${"— name AAAAAAA=\n".repeat(101)}`],
  ])("%s", (_, note) => {
    expect(() => parseNote(note)).toThrow(FormatError);
  });
});

describe("refused verifier keys", () => {
  test.each([
    ["another id", EXAMPLE_VKEY.replace("530d903a", "530d903b")],
    ["an id in upper case", GO_VKEY.replace("c74f20a3", "C74F20A3")],
    ["another name", EXAMPLE_VKEY.replace("foo", "bar")],
    ["another type", EXAMPLE_VKEY.replace("+Ae", "+Be")],
    ["a missing byte", EXAMPLE_VKEY.slice(0, -4)],
    ["no key", "example.com/foo+530d903a+"],
    ["a space in its name", ` ${EXAMPLE_VKEY}`],
    ["a newline at its end", `${EXAMPLE_VKEY}\n`],
  ])("%s", (_, vkey) => {
    expect(() => parseVkey(vkey)).toThrow(FormatError);
  });
});

describe("checkpoints", () => {
  const root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
  const text = `example.com/behind-the-sofa\n20852163\n${root}\n`;

  test("the example of tlog-checkpoint is read and written", () => {
    const read = parseCheckpoint(text);
    expect(read).toMatchObject({ origin: "example.com/behind-the-sofa", size: 20_852_163 });
    expect(formatCheckpoint(read)).toBe(text);
  });

  test.each([
    ["a leading zero", text.replace("2085", "02085")],
    ["a sign", text.replace("2085", "-2085")],
    ["a fraction", text.replace("20852163", "2085.5")],
    ["a size of 2^53", text.replace("20852163", "9007199254740992")],
    ["no origin", text.replace("example.com/behind-the-sofa", "")],
    ["a short root", text.replace(root, "AAAA")],
    ["a fourth line", `${text}more\n`],
    ["no last newline", text.trimEnd()],
  ])("%s is refused", (_, checkpoint) => {
    expect(() => parseCheckpoint(checkpoint)).toThrow(FormatError);
  });
});
