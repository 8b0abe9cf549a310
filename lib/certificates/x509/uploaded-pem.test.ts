import { expect, test } from "vitest";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { readUploadedPem } from "@/lib/certificates/x509/uploaded-pem";

test("a refused upload names the field and what there is too much of", async () => {
  const withNames = async (count: number) => {
    const sans = Array.from({ length: count }, (_, n) => `h${n}.test`);
    return (await makeCertificate({ name: "a", sans })).pem;
  };
  const [usual, most, more] = [await withNames(1), await withNames(2_000), await withNames(2_001)];
  expect(readUploadedPem(usual + most)).toHaveLength(2);
  const why = "pem: contains a certificate that cannot be parsed";
  expect(() => readUploadedPem(usual + more)).toThrow(`${why} (more than 2000 subject alternative names)`);
  expect(() => readUploadedPem(most.repeat(3))).toThrow(
    `${why} (more than 5000 subject alternative names in all certificates)`,
  );
  expect(readUploadedPem(usual.repeat(100))).toHaveLength(100);
  expect(() => readUploadedPem(usual.repeat(101))).toThrow("pem: must contain at most 100 certificates");
  expect(readUploadedPem(usual.repeat(20), 20)).toHaveLength(20);
  expect(() => readUploadedPem(usual.repeat(21), 20)).toThrow("pem: must contain at most 20 certificates");
});
