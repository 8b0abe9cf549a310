import { describe, expect, test } from "vitest";
import { fieldDefects } from "@/lib/certificates/x509/defects";
import { readDer } from "@/lib/der";

const SERIAL = "02021234";
const SUBJECT = "300e310c300a06035504030c03612e62";

/** An EC key of this curve parameter: an OID, or parameters. */
function ecKey(curve: string): string {
  const algorithm = `06072a8648ce3d0201${curve}`;
  const bytes = (hex: string) => (hex.length / 2).toString(16).padStart(2, "0");
  const inner = `30${bytes(algorithm)}${algorithm}030100`;
  return `30${bytes(inner)}${inner}`;
}

function problems({ serial = SERIAL, subject = SUBJECT, key = ecKey("06082a8648ce3d030107"), isCa = true }) {
  const [one, other, third] = [serial, subject, key].map((hex) => readDer(Buffer.from(hex, "hex")).element);
  if (!one || !other || !third) throw new Error("malformed");
  return fieldDefects({ serial: one, subject: other, publicKey: third }, isCa).map(({ problem }) => problem);
}

describe("fieldDefects", () => {
  test.each([
    ["020101", []],
    [`0214${"7f".repeat(20)}`, []],
    [`021500${"ff".repeat(20)}`, []],
    [`0215${"11".repeat(21)}`, ["serial_too_long"]],
    ["020185", ["negative_serial"]],
    ["020100", ["zero_serial"]],
  ])("serial number %s", (serial, expected) => {
    expect(problems({ serial })).toEqual(expected);
  });

  test("an empty name matters only to what is issued by it", () => {
    expect(problems({ subject: "3000" })).toEqual(["empty_subject"]);
    expect(problems({ subject: "3000", isCa: false })).toEqual([]);
  });

  test("a curve by its parameters", () => {
    expect(problems({ key: ecKey("3003020101") })).toEqual(["explicit_curve"]);
  });
});
