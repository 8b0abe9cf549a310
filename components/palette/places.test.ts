import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { matches } from "@/components/palette/matches";
import { pageCommands, places } from "@/components/palette/places";

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));

test("every page with a fixed address is a place", () => {
  const pages = files("app/(dashboard)").filter((name) => /(^|\/)page\.tsx$/.test(name) && !name.includes("["));
  const addresses = pages.map((name) => `/${name.replace(/(\([^)]*\)\/)?page\.tsx$/, "").replace(/\/$/, "")}`);
  expect(places.map(({ href }) => href).sort()).toEqual(addresses.sort());
});

test.each(["whitelist", "rate limit", "revoked"])("%s finds the API keys", (typed) => {
  const found = places.filter(({ label, words }) => matches(`${label} ${words}`, typed) > 0);
  expect(found.map(({ href }) => href)).toContain("/api-keys");
});

test("no two places or commands have the same label", () => {
  const labels = [...places, ...pageCommands].map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

test("each command is a button of a page", () => {
  const sources = files("components")
    .filter((name) => name.endsWith(".tsx"))
    .map((name) => readFileSync(join("components", name), "utf8"));
  for (const { label, href } of pageCommands) {
    expect(places.map((place) => place.href)).toContain(href);
    const button = new RegExp(`<GuardedButton[^]*?>\\s*(<Plus[^>]*/>)?\\s*${label}\\s*</GuardedButton>`);
    expect(sources.filter((source) => button.test(source)).length, label).toBeGreaterThan(0);
  }
});

test.each([
  ["expir", "/analytics/expiry"],
  ["inventory", "/certificates/inventory"],
  ["incidents", "/uptime/incidents"],
  ["slack", "/notification-channels"],
  ["create rule", "/alert-rules/new"],
  ["splunk", "/destinations"],
  ["add destination", "/destinations/new"],
  ["create destination", "/destinations/new"],
  ["legal hold", "/integrity/holds/new"],
  ["client auth", "/certificates/inventory"],
])("%s finds %s", (typed, href) => {
  const found = places.filter(({ label, words }) => matches(`${label} ${words}`, typed) > 0);
  expect(found.map((place) => place.href)).toContain(href);
});
