import { expect, test } from "vitest";
import { isWithinScope } from "@/lib/auth/scopes";

test("a scope permits its actions alone, and no scope permits all", () => {
  expect(isWithinScope("obtained_certificates", "certificate.hand_in")).toBe(true);
  expect(isWithinScope("obtained_certificates", "certificate.add")).toBe(false);
  expect(isWithinScope("obtained_certificates", null)).toBe(false);
  expect(isWithinScope("agent", "certificate_agent.report")).toBe(true);
  expect(isWithinScope("agent", "certificate_agent.create")).toBe(false);
  expect(isWithinScope(null, "certificate.add")).toBe(true);
  expect(isWithinScope(null, null)).toBe(true);
});

test("a scope of a newer release permits nothing", () => {
  expect(isWithinScope("of_tomorrow", "certificate.hand_in")).toBe(false);
});
