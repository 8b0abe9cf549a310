import { expect, test } from "vitest";
import { appliesTo } from "@/components/alert-rules/words";
import { condition, selector } from "@/lib/alerts/rules/conditions";

const KEY = "0193a1f4-0001-7a02-8b41-000000000001";
const known = { api_key_id: [{ value: KEY, label: "ci-deploy" }] };

test.each([
  [
    { status: "4xx", via: "!dashboard_read", api_key_id: KEY },
    "key ci-deploy, status 4xx, via is not reads in the dashboard",
  ],
  [{ flag: "new_country,new_address", q: "a, b" }, "flag New country, New address, text a, b"],
  [{}, "All entries"],
])("a rule about entries with %o applies to: %s", (query, words) => {
  const rule = { condition: condition.parse({ type: "event_count", query }), selector: selector.parse({}) };
  expect(appliesTo(rule, known)).toBe(words);
});
