import { expect, test } from "vitest";
import type { PublicSite } from "@/lib/status-pages/public/read-public-status";
import { absentDocument, statusDocument } from "@/lib/status-pages/public/status-document";
import { DAY_MS } from "@/lib/time/units";

const AT = Date.parse("2026-11-21T14:31:58.207Z");
const day = (back: number, checks: number, failures: number) => ({
  start: Date.parse("2026-11-21T00:00:00Z") - back * DAY_MS,
  checks,
  failures,
  maintenance: 0,
});
const days = [...Array.from({ length: 88 }, (_, at) => day(89 - at, 0, 0)), day(1, 1000, 100), day(0, 1000, 0)];
const site = (given: Partial<PublicSite>): PublicSite => ({
  slug: "shop",
  label: "Shop",
  state: "up",
  since: null,
  days: null,
  daysLeft: null,
  ...given,
});

test("a page says in one sentence how things are, since when, and shows 90 days of uptime", () => {
  const html = statusDocument({
    title: "Acme",
    at: AT,
    sites: [site({ state: "down", since: AT - 60_000, days }), site({ label: "API", daysLeft: 1 })],
  });
  expect(html).toContain('<p class="answer down"><span>1 of 2 sites is down.</span></p>');
  expect(html).toContain("</strong> has been down since <time");
  expect(html).toContain("21 Nov 2026, 14:30 UTC");
  expect(html).toContain('aria-label="Last 90 days: failures on 1 day"');
  expect(html.match(/<rect /g)).toHaveLength(90);
  expect(html).toContain("<span>95.00% uptime in 90 days</span>");
  expect(html).toContain("<li>20 Nov 2026: 90.00%</li>");
  expect(html).toContain("Certificate valid for 1 day<");
  expect(html).toContain("<span>24 Aug 2026</span><span>today</span>");
});

test("labels and titles cannot become markup, and nothing runs", () => {
  const evil = `"><script>alert(1)</script><img src=x onerror='a'>&`;
  const html = statusDocument({ title: evil, at: AT, sites: [site({ label: evil, state: "problem", since: AT })] });
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain("&#60;script&#62;");
});

test("a problem has no date, because its severity may have changed since it was found", () => {
  const html = statusDocument({ title: "Acme", at: AT, sites: [site({ state: "problem", since: AT })] });
  expect(html).toContain("</strong> has a problem with its certificate.</li>");
});

test("a page without sites, and an address without a page", () => {
  expect(statusDocument({ title: "Acme", at: AT, sites: [] })).toContain("No sites are shown here yet.");
  expect(absentDocument).toContain("There is no status page at this address.");
});
