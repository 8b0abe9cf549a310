import { expect, test } from "vitest";
import { typedChanges } from "@/components/audit-logs/filters/completion";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";

const known: KnownValues = { api_key_id: [{ value: "0193a1f4-0001-7a02-8b41-000000000000", label: "ci-deploy" }] };
const clock = { now: Date.parse("2026-11-24T06:00:00Z"), zone: "UTC" };

test.each([
  ["status:4xx", { status: "4xx" }],
  ["status:4xx curl", { status: "4xx", q: "curl" }],
  ["curl 16 Nov", { q: "curl 16 Nov" }],
  [
    "key:ci-deploy country:!DE status:4xx 16 Nov 00:00–18 Nov 12:00",
    {
      api_key_id: "0193a1f4-0001-7a02-8b41-000000000000",
      country: "!DE",
      status: "4xx",
      range: null,
      since: "2026-11-16T00:00:00.000Z",
      until: "2026-11-18T12:00:00.000Z",
    },
  ],
  ["status:404 last 7 days", { status: "404", range: "7d", since: null, until: null }],
  ["yesterday", { range: null, since: "2026-11-23T00:00:00.000Z", until: "2026-11-24T00:00:00.000Z" }],
])("what %j asks for", (text, changes) => {
  expect(typedChanges(text, known, clock)).toEqual(changes);
});

test("where no range of time can be chosen, words that name one are text", () => {
  expect(typedChanges("yesterday", known, null)).toEqual({ q: "yesterday" });
  expect(typedChanges("status:404 last 7 days", known, null)).toEqual({ status: "404", q: "last 7 days" });
});
