import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readUsage } from "@/lib/certificates/x509/extensions";

const KEY_USAGE = "2.5.29.15";
const BASIC_CONSTRAINTS = "2.5.29.19";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const NAME_CONSTRAINTS = "2.5.29.30";

function usageOf(oid: string, hex: string) {
  return readUsage([{ oid, isCritical: true, value: Buffer.from(hex, "hex") }]);
}

describe("readUsage", () => {
  test.each([
    ["03020780", ["digital_signature"]],
    ["030205a0", ["digital_signature", "key_encipherment"]],
    ["03020106", ["key_cert_sign", "crl_sign"]],
    ["0303070080", ["decipher_only"]],
    ["03020000", null],
    ["030100", null],
    ["0302", null],
    ["0304000102ff", null],
    ["03020780ff", null],
    ["04020780", null],
  ])("key usage %s", (hex, keyUsages) => {
    const defects = keyUsages === null ? [{ problem: "malformed_extension", extension: KEY_USAGE }] : [];
    expect(usageOf(KEY_USAGE, hex)).toMatchObject({ keyUsages, defects });
  });

  test.each([
    ["3000", { isCa: false, pathLength: null }],
    ["30030101ff", { isCa: true, pathLength: null }],
    ["30060101ff020100", { isCa: true, pathLength: 0 }],
    ["30070101ff02020100", { isCa: true, pathLength: 256 }],
    ["30060101ff0201ff", null],
    ["30060101ff040100", null],
    ["30090101ff020100020100", null],
    ["30030101ff00", null],
  ])("basic constraints %s", (hex, basicConstraints) => {
    expect(usageOf(BASIC_CONSTRAINTS, hex)).toMatchObject({ basicConstraints });
  });

  test.each([
    ["300a06082b06010505070301", ["server_auth"]],
    ["301006082b0601050507030206042a030405", ["client_auth", "1.2.3.4.5"]],
    ["3000", null],
    ["30020600", null],
    ["3003020101", null],
  ])("extended key usage %s", (hex, extendedKeyUsages) => {
    expect(usageOf(EXTENDED_KEY_USAGE, hex)).toMatchObject({ extendedKeyUsages });
  });

  test.each([
    ["3003020105", true],
    ["3006020111020105", true],
    ["3003020111", false],
    ["3000", false],
    ["30", false],
    ["30030201050000", false],
  ])("TLS features %s, of which a malformed list is not a defect", (hex, mustStaple) => {
    const value = Buffer.from(hex, "hex");
    expect(readUsage([{ oid: "1.3.6.1.5.5.7.1.24", isCritical: false, value }])).toMatchObject({
      mustStaple,
      defects: [],
    });
  });

  test("lists each extension once, and at most 20", () => {
    const extension = (oid: string) => ({ oid, isCritical: true, value: Buffer.from("ff", "hex") });
    const thrice = [1, 2, 3].map(() => extension("1.2.3"));
    expect(readUsage(thrice)).toMatchObject({
      unknownCritical: ["1.2.3"],
      defects: [{ problem: "duplicate_extension", extension: "1.2.3" }],
    });
    const many = Array.from({ length: 1000 }, (_, n) => extension(`1.2.${n}`));
    const { unknownCritical, defects } = readUsage([...many, ...many, extension(KEY_USAGE)]);
    expect(unknownCritical).toEqual(many.slice(0, 20).map(({ oid }) => oid));
    expect(defects).toHaveLength(20);
    expect(defects[0]).toEqual({ problem: "malformed_extension", extension: KEY_USAGE });
  });

  test("never throws, and says what it could not read", () => {
    const oid = fc.constantFrom(KEY_USAGE, BASIC_CONSTRAINTS, EXTENDED_KEY_USAGE, NAME_CONSTRAINTS);
    fc.assert(
      fc.property(
        fc.array(fc.record({ oid, isCritical: fc.boolean(), value: fc.uint8Array({ maxLength: 40 }) })),
        (all) => {
          const { defects, keyUsages, basicConstraints, extendedKeyUsages, nameConstraints } = readUsage(all);
          const values = {
            [KEY_USAGE]: keyUsages,
            [BASIC_CONSTRAINTS]: basicConstraints,
            [EXTENDED_KEY_USAGE]: extendedKeyUsages,
            [NAME_CONSTRAINTS]: nameConstraints,
          };
          for (const { oid } of all) {
            const isKnown = values[oid] !== null || defects.some(({ extension }) => extension === oid);
            expect(isKnown).toBe(true);
          }
        },
      ),
    );
  });
});
