import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { makeOcspResponse, type OcspResponseOptions, wrap } from "@/e2e/support/stand-ins/ocsp";
import {
  type Authority,
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { readStaple } from "@/lib/certificates/revocation/ocsp";
import { parseCertificate } from "@/lib/certificates/x509/x509";

const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
let authority: Authority;
let leaf: TestCertificate;

beforeAll(async () => {
  authority = await makeAuthority("Staple");
  leaf = await authority.leaf();
});

function read(staple: Buffer | null, now = new Date()) {
  return readStaple(staple, parseCertificate(leaf.der), parseCertificate(authority.intermediate.der), now);
}

const about = (overrides: Partial<OcspResponseOptions> = {}) =>
  makeOcspResponse({ about: leaf, issuer: authority.intermediate, ...overrides });

/** The certificate of an authorized responder. */
const responder = (overrides: object = {}) =>
  makeCertificate({ name: "Responder", issuer: authority.intermediate, purposes: [OCSP_SIGNING], ...overrides });

describe("readStaple", () => {
  test("of a certificate with a negative serial number has the status", async () => {
    const made = await authority.leaf({ serial: "71020304" });
    const der = Buffer.from(made.der.toString("hex").replace("020471020304", "0204f1020304"), "hex");
    const certificate = parseCertificate(der);
    expect(certificate).toMatchObject({ serial: "-0efdfcfc", serialBytes: Uint8Array.of(0xf1, 2, 3, 4) });
    const issuer = parseCertificate(authority.intermediate.der);
    expect(readStaple(about({ about: { ...made, der } }), certificate, issuer, new Date())).toEqual({ state: "good" });
  });

  test("of the issuer has the status", async () => {
    expect(read(null)).toEqual({ state: "absent" });
    expect(read(about())).toEqual({ state: "good" });
    expect(read(about({ status: "revoked" }))).toEqual({
      state: "revoked",
      revokedAt: expect.any(Date),
      reason: "key_compromise",
    });
    expect(read(about({ status: "unknown" }))).toMatchObject({ state: "invalid", why: "unknown_certificate" });
  });

  test("of a responder that the issuer authorized has it, too", async () => {
    const signer = await responder();
    expect(read(about({ signer }))).toEqual({ state: "good" });
    expect(read(about({ signer, extra: [wrap(0x30, Buffer.from("0500", "hex"))] }))).toEqual({ state: "good" });
  });

  test.each([
    ["without that purpose", { purposes: undefined }],
    ["that has expired", { fromDays: -9, untilDays: -1 }],
    ["of itself", { issuer: undefined }],
  ])("of a responder %s is ignored", async (_, overrides) => {
    expect(read(about({ signer: await responder(overrides) }))).toMatchObject({ why: "bad_signature" });
  });

  test("of an unrelated responder is ignored", async () => {
    const other = await makeAuthority("Staple");
    const forged = { ...authority.intermediate, keyPem: other.intermediate.keyPem };
    expect(read(about({ issuer: forged }))).toMatchObject({ why: "bad_signature" });
    expect(read(about({ issuer: other.intermediate }))).toMatchObject({ why: "other_certificate" });
    expect(read(about({ about: await authority.leaf() }))).toMatchObject({ why: "other_certificate" });
  });

  test("counts only while it is in force; without an end, for a day", () => {
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    expect(read(about({ fromHours: 1 }))).toMatchObject({ why: "not_yet_valid" });
    expect(read(about({ fromHours: -48, untilHours: -24 }))).toMatchObject({ why: "outdated" });
    expect(read(about({ status: "revoked", fromHours: -48, untilHours: -24 }))).toMatchObject({ why: "outdated" });
    expect(read(about({ untilHours: null }), hours(22))).toEqual({ state: "good" });
    expect(read(about({ untilHours: null }), hours(24))).toMatchObject({ why: "outdated" });
  });

  test("cannot be checked without the issuer", () => {
    expect(readStaple(about(), parseCertificate(leaf.der), undefined, new Date())).toEqual({ state: "unchecked" });
  });

  test("may be the responder's refusal, or no response", () => {
    expect(read(Buffer.from("30030a0103", "hex"))).toMatchObject({ why: "responder_error", detail: "try_later" });
    expect(read(Buffer.from("30030a0109", "hex"))).toMatchObject({ why: "responder_error", detail: "status 9" });
    expect(read(Buffer.from("<html>"))).toMatchObject({ why: "malformed" });
    expect(read(Buffer.alloc(0))).toMatchObject({ why: "malformed" });
  });

  test("never throws and never believes a response that was tampered with", () => {
    const whole = about({ status: "revoked" });
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const broken = Buffer.from(whole);
        broken[at] = (broken[at] ?? 0) ^ by;
        expect(read(broken).state).not.toBe("good");
      }),
    );
    fc.assert(fc.property(fc.nat(whole.length - 1), (end) => read(whole.subarray(0, end)).state === "invalid"));
  });
});
