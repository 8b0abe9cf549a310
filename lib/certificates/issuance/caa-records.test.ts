import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accountInValidation,
  accountsInCaa,
  type CaaRecord,
  parseIssuerValue,
  permits,
} from "@/lib/certificates/issuance/caa-records";

const record = (tag: string, value: string, critical = false): CaaRecord => ({ tag, value, critical });
const OURS = ["ca.example", "old-ca.example"];

describe("who may issue (RFC 8659)", () => {
  test.each<[string, CaaRecord[], boolean, boolean]>([
    ["no records", [], true, true],
    ["our domain", [record("issue", "ca.example")], true, true],
    ["another of our domains", [record("issue", "other.example"), record("issue", "Old-CA.example.")], true, true],
    [
      "our domain with parameters",
      [record("issue", " ca.example ; validationmethods=dns-01; accounturi=a:b")],
      true,
      true,
    ],
    ["a domain below ours", [record("issue", "team.ca.example")], true, true],
    ["another domain", [record("issue", "other.example")], false, false],
    ["a domain that ends like ours", [record("issue", "notca.example")], false, false],
    ["nobody", [record("issue", ";")], false, false],
    ["nobody, as an empty value", [record("issue", "")], false, false],
    ["a malformed value", [record("issue", "ca.example; accounturi")], false, false],
    ["only reports", [record("iodef", "mailto:a@example.com")], true, true],
    ["only e-mail", [record("issuemail", "other.example")], true, true],
    ["wildcards of others", [record("issue", "ca.example"), record("issuewild", "other.example")], true, false],
    ["only wildcards", [record("issuewild", "other.example")], true, false],
    ["our wildcards", [record("issue", ";"), record("issuewild", "ca.example")], false, true],
    ["an unknown critical tag", [record("issue", "ca.example"), record("future", "x", true)], false, false],
    ["an unknown tag", [record("issue", "ca.example"), record("future", "x")], true, true],
    ["a known critical tag", [record("issue", "ca.example", true)], true, true],
  ])("%s", (_, records, name, wildcard) => {
    expect([permits(records, false, OURS), permits(records, true, OURS)]).toEqual([name, wildcard]);
  });

  test("any text is a value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        const { domain } = parseIssuerValue(text);
        expect(domain === "" || text.toLowerCase().includes(domain)).toBe(true);
      }),
    );
  });
});

describe("accounts", () => {
  test("in CAA records (RFC 8657)", () => {
    const uri = "https://ca.example/acct/1";
    const records = [
      record("issue", `ca.example; accounturi=${uri}`),
      record("issue", "ca.example"),
      record("issue", `; accounturi=${uri}`),
      record("iodef", `mailto:a@b; accounturi=${uri}`),
    ];
    expect(accountsInCaa("example.com", records)).toEqual([
      { at: "example.com", authority: "ca.example", uri, source: "caa", wildcard: false, until: null },
    ]);
  });

  test("in persistent validations", () => {
    const at = "_validation-persist.example.com";
    const text = "ca.example; accounturi=https://ca.example/acct/1; policy=wildcard; persistUntil=1798761600";
    expect(accountInValidation(at, text)).toEqual({
      ...{ at, authority: "ca.example", uri: "https://ca.example/acct/1", source: "validation_persist" },
      ...{ wildcard: true, until: "2027-01-01T00:00:00.000Z" },
    });
    expect(accountInValidation(at, "ca.example; accounturi=a:b")).toMatchObject({ wildcard: false, until: null });
    for (const other of ["", "ca.example", "v=spf1 -all", "; accounturi=a:b"])
      expect(accountInValidation(at, other)).toBeNull();
  });
});
