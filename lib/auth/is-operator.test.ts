import { expect, test } from "vitest";
import { isOperator } from "@/lib/auth/is-operator";

const settings = { OPERATORS: ["ops@example.com"], OIDC_ISSUER: "https://id.example.com" };
const operator = { email: "ops@example.com", verifiedEmail: "ops@example.com", issuer: "https://id.example.com" };

test("an operator has a named address that the configured issuer verified", () => {
  expect(isOperator(operator, settings)).toBe(true);
});

test("the issuer may have a final slash, and so may the setting", () => {
  expect(isOperator({ ...operator, issuer: `${operator.issuer}/` }, settings)).toBe(true);
  expect(isOperator(operator, { ...settings, OIDC_ISSUER: `${settings.OIDC_ISSUER}/` })).toBe(true);
});

test.each([
  ["an address that is not named", { email: "eve@example.com", verifiedEmail: "eve@example.com" }],
  ["an address that the issuer did not verify", { verifiedEmail: null }],
  ["an address that is another one since the session began", { verifiedEmail: "eve@example.com" }],
  ["a named address in the session that was changed since", { email: "eve@example.com" }],
  ["another issuer", { issuer: "https://evil.example.com" }],
])("nobody is an operator with %s", (_, change) => {
  expect(isOperator({ ...operator, ...change }, settings)).toBe(false);
});

test("nobody is an operator without the setting", () => {
  expect(isOperator(operator, { ...settings, OPERATORS: [] })).toBe(false);
  expect(isOperator(operator, { ...settings, OIDC_ISSUER: undefined })).toBe(false);
});
