import { describe, expect, test } from "vitest";
import { readDer, TAG } from "@/lib/der";
import { der, readStamp, readStampReply, stampRequest } from "@/lib/sealed-log/time-stamp";
import { stampReply, unsignedToken } from "@/server/testing/sealed-log/test-stamp";

const TEXT = "example.com/log/1\n12\nroot\n";
const TIME = Date.parse("2026-11-24T02:10:07Z");
const nonce = Buffer.from("4f00112233445566", "hex");
const token = unsignedToken(TEXT, TIME, nonce);

test("a request has the SHA-256 of the text, the nonce, and asks for the certificate", () => {
  // As `openssl ts -query -data FILE -sha256 -cert` wrote it.
  const query =
    "30430201013031300d06096086480165030402010500042022ec44a23a19d479a2c2ba12e7c56ebcdd4eab9764ac0f89355451ce20c81fa902082ad208886cd419a90101ff";
  expect(stampRequest(TEXT, Buffer.from("2ad208886cd419a9", "hex")).toString("hex")).toBe(query);
});

test.each([0, 1, 127, 128, 255, 256, 70_000])("an element of %d bytes is read as it was written", (length) => {
  const content = Buffer.alloc(length, 7);
  const { element, rest } = readDer(der(TAG.OCTET_STRING, content));
  expect([element.tag, content.equals(element.content), rest.length]).toEqual([TAG.OCTET_STRING, true, 0]);
});

describe("a reply", () => {
  test("has a token with its time", () => {
    const read = readStampReply(stampReply(0, token), TEXT, nonce);
    expect([read.at.toISOString(), read.token.equals(token)]).toEqual(["2026-11-24T02:10:07.000Z", true]);
    expect(readStamp(unsignedToken(TEXT, TIME), TEXT).at).toEqual(read.at);
  });

  test.each([
    ["was refused with status 2", stampReply(2)],
    ["has no token", stampReply(0)],
    ["is over another text", stampReply(0, unsignedToken(`${TEXT}x`, TIME, nonce))],
    ["has another nonce", stampReply(0, unsignedToken(TEXT, TIME, Buffer.from([1])))],
    ["has another nonce", stampReply(0, unsignedToken(TEXT, TIME))],
    ["is malformed", Buffer.concat([stampReply(0, token), Buffer.from([0])])],
    ["is malformed", Buffer.from("<html>")],
    ["is malformed", Buffer.alloc(0)],
    ["is not signed data", stampReply(0, Buffer.from(token.toString("hex").replace("0107", "0108"), "hex"))],
  ])("that %s is not a time stamp", (what, reply) => {
    expect(() => readStampReply(reply, TEXT, nonce)).toThrow(what);
  });

  test("cut off anywhere is not a time stamp", () => {
    const whole = stampReply(0, token);
    for (let length = 0; length < whole.length; length++) {
      expect(() => readStampReply(whole.subarray(0, length), TEXT, nonce), String(length)).toThrow(/^is|^has|^was/);
    }
  });
});
