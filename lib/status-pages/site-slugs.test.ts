import { expect, test } from "vitest";
import { repeatedSlug, withSlugs } from "@/lib/status-pages/site-slugs";

const site = (label: string, slug?: string) => ({ label, slug, monitor_id: null, endpoint_id: null });

test("a slug is made from the label, differs from every other, and given slugs stay", () => {
  const sites = withSlugs([
    site("Café & Shop"),
    site("cafe shop"),
    site("店"),
    site("Other", "cafe-shop-3"),
    site("Café Shop"),
    site("x".repeat(100)),
  ]);
  expect(sites.map(({ slug }) => slug)).toEqual([
    "cafe-shop",
    "cafe-shop-2",
    "site",
    "cafe-shop-3",
    "cafe-shop-4",
    "x".repeat(44),
  ]);
  expect(repeatedSlug(sites)).toBe(-1);
});

test("a repeated slug is found at its second site", () => {
  expect(repeatedSlug(withSlugs([site("a", "k"), site("b"), site("c", "k")]))).toBe(2);
});
