import { expect, test } from "vitest";
import { pageRoutes } from "@/server/web/page-routes";

const routeOf = pageRoutes({
  staticRoutes: [{ page: "/" }, { page: "/alerts" }, { page: "/alerts/new" }],
  dynamicRoutes: [
    { page: "/alerts/[id]", regex: "^/alerts/([^/]+?)(?:/)?$" },
    { page: "/api/v1/[[...path]]", regex: "^/api/v1(?:/(.+?))?(?:/)?$" },
    { page: "/status/[slug]/[site]/badge.svg", regex: "^/status/([^/]+?)/([^/]+?)/badge\\.svg(?:/)?$" },
    { page: "/[...path]", regex: "^/(.+?)(?:/)?$" },
  ],
});

test.each([
  ["/", "/"],
  ["/alerts", "/alerts"],
  ["/alerts/", "/alerts"],
  ["/alerts/new", "/alerts/new"],
  ["/alerts/01a1fcff-6680-7420-917f-1d9e34253279", "/alerts/{id}"],
  ["/alerts/x/", "/alerts/{id}"],
  ["/status/acme/shop/badge.svg", "/status/{slug}/{site}/badge.svg"],
  ["/api/v1/x", "/{path}"],
  ["/nowhere/at/all", "/{path}"],
])("the route of %s is %s", (path, route) => {
  expect(routeOf(path)).toBe(route);
});

test("a path without a page has none", () => {
  expect(pageRoutes({ staticRoutes: [], dynamicRoutes: [] })("/x")).toBeNull();
});
