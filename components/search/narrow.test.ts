import { expect, test } from "vitest";
import { isCoveredBy, matching, searchable } from "@/components/search/narrow";
import { newSecret } from "@/lib/auth/secret";

test("only texts that may be sent are searched for, without what was pasted around them", () => {
  expect(searchable(" CI-Deploy ")).toBe("ci-deploy");
  expect(searchable("x")).toBeNull();
  expect(searchable("x".repeat(201))).toBeNull();
  expect(searchable(newSecret())).toBeNull();
  expect(searchable(`curl -H "Authorization: Bearer ${newSecret().slice(0, 40)}`)).toBeNull();
  expect(searchable(`SHA256 Fingerprint=${"0A:".repeat(31)}0A`)).toBe("0a".repeat(32));
  expect(searchable("https://Shop.example.com/cart")).toBe("shop.example.com");
});

test("a longer text needs no request if nothing was left out of the last answer", () => {
  expect(isCoveredBy("ci-deploy", "ci", { has_more: false })).toBe(true);
  expect(isCoveredBy("ci-deploy", "ci", { has_more: true })).toBe(false);
  expect(isCoveredBy("metrics", "ci", { has_more: false })).toBe(false);
  // May be a serial number, which is found whole.
  expect(isCoveredBy("043a9f12", "04", { has_more: false })).toBe(false);
});

test("results are narrowed by name and detail", () => {
  const result = (name: string, detail: string | null) => ({
    type: "monitor" as const,
    id: "",
    name,
    detail,
    status: null,
  });
  const results = [result("Shop", "https://shop.example/"), result("Blog", null)];
  expect(matching(results, "example")).toEqual([results[0]]);
  expect(matching(results, "blog")).toEqual([results[1]]);
});
