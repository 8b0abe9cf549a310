import { expect, test } from "vitest";
import { keyTypesBeside } from "@/lib/certificates/record/read-known";

const scanned = [
  { sha256: "aa", key_type: "rsa" },
  { sha256: "bb", key_type: "ec" },
];

test("a scan says which key types a server has besides that of a certificate", () => {
  expect(keyTypesBeside("aa", scanned)).toEqual(["rsa", "ec"]);
});

test("a scan of another server, which does not have the certificate, says nothing", () => {
  expect(keyTypesBeside("cc", scanned)).toEqual([]);
  expect(keyTypesBeside("aa", [])).toEqual([]);
});
