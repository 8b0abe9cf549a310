import { describe, expect, test } from "vitest";
import { groupsOf, personOf } from "@/lib/sign-in/vouched-person";

const ISSUER = "https://id.example.com";
const honest = { iss: ISSUER, sub: "1", email: "Ada@Example.com", email_verified: true, name: "Ada" };
const refusal = (claims: unknown, setting: "required" | "assumed" = "required") => {
  try {
    personOf(claims, ISSUER, setting);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("the person in an ID token", () => {
  test("is identified by issuer and subject; the address is in lower case", () => {
    expect(personOf(honest, ISSUER, "required")).toEqual({
      issuer: ISSUER,
      subject: "1",
      email: "ada@example.com",
      name: "Ada",
      isVerified: true,
    });
  });

  test("has a verified address only if the issuer says so, not if it is assumed", () => {
    expect(personOf({ ...honest, email_verified: undefined }, ISSUER, "assumed").isVerified).toBe(false);
    expect(personOf({ ...honest, email_verified: "true" }, ISSUER, "assumed").isVerified).toBe(true);
  });

  test.each([
    [{ name: undefined, preferred_username: "ada" }, "ada"],
    [{ name: "" }, "Ada@Example.com"],
    [{ name: "\n" }, "Ada@Example.com"],
    [{ name: "Ada\r\n\r\nPay here\n" }, "Ada Pay here"],
    [{ name: 7 }, "Ada@Example.com"],
    [{ name: "x".repeat(1000) }, "x".repeat(200)],
  ])("has a name with %j", (change, name) => {
    expect(personOf({ ...honest, ...change }, ISSUER, "required").name).toBe(name);
  });

  test("may have an issuer with or without a trailing slash", () => {
    expect(refusal({ ...honest, iss: `${ISSUER}/` })).toBeNull();
    expect(refusal({ ...honest, iss: `${ISSUER}/other` })).toBe("ProviderAnswer");
  });

  test.each<[Record<string, unknown>, string | null, string | null]>([
    [{ email_verified: true }, null, null],
    [{ email_verified: "true" }, null, null],
    [{ email_verified: undefined }, "UnverifiedEmail", null],
    [{ email_verified: null }, "UnverifiedEmail", null],
    [{ email_verified: false }, "UnverifiedEmail", "UnverifiedEmail"],
    [{ email_verified: "false" }, "UnverifiedEmail", "UnverifiedEmail"],
    [{ email_verified: "yes" }, "UnverifiedEmail", "UnverifiedEmail"],
    [{ email_verified: 1 }, "UnverifiedEmail", "UnverifiedEmail"],
    [{ email: undefined }, "NoEmail", "NoEmail"],
    [{ email: "" }, "NoEmail", "NoEmail"],
    [{ email: "a b@example.com" }, "NoEmail", "NoEmail"],
    [{ email: "a\u202eb@example.com" }, "NoEmail", "NoEmail"],
    [{ email: "o'brien+a/b@bücher.example" }, null, null],
    [{ email: `${"x".repeat(320)}@example.com` }, "NoEmail", "NoEmail"],
    [{ sub: "x".repeat(256) }, "ProviderAnswer", "ProviderAnswer"],
  ])("with %j: %s if verification is required, %s if it is assumed", (change, required, assumed) => {
    expect(refusal({ ...honest, ...change })).toBe(required);
    expect(refusal({ ...honest, ...change }, "assumed")).toBe(assumed);
  });
});

test.each([
  [{ groups: ["a", "b"] }, ["a", "b"]],
  [{ groups: "a" }, ["a"]],
  [{ groups: ["a", 7, null, ["b"]] }, ["a"]],
  [{ groups: { a: true } }, []],
  [{ groups: null }, []],
  [{}, []],
  [null, []],
])("the groups in %j are %j", (claims, groups) => {
  expect(groupsOf(claims, "groups")).toEqual(groups);
});

test("a claim is only the token's own, and may be named like a URL", () => {
  expect(groupsOf({}, "constructor")).toEqual([]);
  expect(groupsOf({ "https://example.com/groups": ["a"] }, "https://example.com/groups")).toEqual(["a"]);
});
