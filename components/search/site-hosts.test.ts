import { expect, test } from "vitest";
import { siteHosts } from "@/components/search/site-hosts";

const found = (
  type: "certificate_endpoint" | "monitor" | "subdomain" | "api_key",
  name: string,
  detail: string | null,
) => ({
  type,
  name,
  detail,
});

test("the hosts of endpoints, monitors and names are offered once", () => {
  expect(
    siteHosts([
      found("certificate_endpoint", "shop.test:443", null),
      found("monitor", "Shop", "https://shop.test/health"),
      found("api_key", "shop", "sw_Ab…x9Zk"),
      found("certificate_endpoint", "2001:db8::1:8443", null),
      found("subdomain", "*.shop.test", null),
      found("subdomain", "www.shop.test", null),
      found("subdomain", "mail.shop.test", null),
    ]),
  ).toEqual(["shop.test", "2001:db8::1", "www.shop.test"]);
  expect(siteHosts([found("monitor", "DB", "[::1]:5432"), found("monitor", "odd", "not a target")])).toEqual(["::1"]);
});
