import "reflect-metadata";
import { expect, test } from "vitest";
import { acmeCertificate } from "@/e2e/support/stand-ins/acme";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { certIdOf, toCertId } from "@/lib/certificates/renewal-info/cert-id";
import { parseCertificate } from "@/lib/certificates/x509/x509";

test("the example of RFC 9773, 4.1", () => {
  const keyId = Buffer.from("69885b6b87464041e1b37b847ba0ae2cde01c8d4", "hex");
  expect(toCertId(keyId, Buffer.from("0087654321", "hex"))).toBe("aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE");
});

test("is read from a certificate, with the zero byte before a set sign bit", async () => {
  const { certId, overrides } = acmeCertificate();
  expect(certIdOf(parseCertificate((await makeCertificate({ name: "a.test", ...overrides })).der))).toBe(certId);
  const negative = await makeCertificate({ name: "a.test", ...overrides, serial: "0087654321" });
  expect(certIdOf(parseCertificate(negative.der))).toBe("aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE");
});

test("is null with a serial number or an identifier of the issuer's key that is too long", async () => {
  const { overrides } = acmeCertificate();
  const idOf = async (serial: string, keyBytes: number) => {
    const length = (bytes: number) => bytes.toString(16).padStart(2, "0");
    const hex = `30${length(keyBytes + 2)}80${length(keyBytes)}${"ab".repeat(keyBytes)}`;
    const made = await makeCertificate({
      name: "a.test",
      ...overrides,
      serial,
      extensions: [{ oid: "2.5.29.35", hex }],
    });
    return certIdOf(parseCertificate(made.der));
  };
  expect(await idOf("7f".repeat(20), 64)).toMatch(/\./);
  expect(await idOf("7f".repeat(21), 64)).toBeNull();
  expect(await idOf("7f".repeat(20), 65)).toBeNull();
});

test("is null without an identifier of the issuer's key", async () => {
  expect(certIdOf(parseCertificate((await makeCertificate({ name: "a.test" })).der))).toBeNull();
});
