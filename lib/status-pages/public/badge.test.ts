import { expect, test } from "vitest";
import { badge } from "@/lib/status-pages/public/badge";
import type { PublicSite } from "@/lib/status-pages/public/read-public-status";

const day = (checks: number, failures: number) => ({ start: 0, checks, failures, maintenance: 0 });
const site = (given: Partial<PublicSite>): PublicSite => ({
  slug: "shop",
  label: "Shop",
  state: "up",
  since: null,
  days: null,
  daysLeft: null,
  ...given,
});
const status = {
  title: "Acme",
  at: 0,
  sites: [
    site({
      days: [...Array.from({ length: 60 }, () => day(100, 100)), ...Array.from({ length: 30 }, () => day(100, 0))],
    }),
    site({ slug: "api", label: "API", state: "down", daysLeft: 1, days: [day(3000, 300)] }),
    site({ slug: "old", label: "Old", state: "problem", daysLeft: -2 }),
  ],
};
const said = (slug: string | null, kind: string) => /<title>(.*)<\/title>/.exec(badge(status, slug, kind) ?? "")?.[1];

test("a badge says the state, the uptime of 30 days, or the days left", () => {
  expect([null, "shop", "api", "old"].map((slug) => said(slug, "state"))).toEqual([
    "Acme: down",
    "Shop: operational",
    "API: down",
    "Old: certificate problem",
  ]);
  expect([null, "shop", "api", "old"].map((slug) => said(slug, "uptime"))).toEqual([
    "Acme uptime: 95.00%",
    "Shop uptime: 100%",
    "API uptime: 90.00%",
    "Old uptime: not checked",
  ]);
  expect([null, "shop", "api", "old"].map((slug) => said(slug, "certificate"))).toEqual([
    "Acme certificate: expired",
    "Shop certificate: none",
    "API certificate: 1 day left",
    "Old certificate: expired",
  ]);
});

test("there is no badge of another site or of another kind", () => {
  expect([badge(status, "nobody", "state"), badge(status, "shop", "teapot")]).toEqual([null, null]);
});

test("a label cannot become markup, and a long one is cut", () => {
  const label = `"><script>${"x".repeat(60)}`;
  const made = badge({ ...status, sites: [site({ label })] }, "shop", "state") ?? "";
  expect(made).not.toContain("<script");
  expect(made).toContain(`${"x".repeat(29)}…</text>`);
});
