import { expect, test } from "vitest";
import { changesOf, typedChanges } from "@/components/audit-logs/filters/completion/completion";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";

const [CI_DEPLOY, PROM, MY_KEY] = [1, 2, 3].map((n) => `0193a1f4-0001-7a02-8b41-00000000000${n}`) as [
  string,
  string,
  string,
];
const known: KnownValues = {
  api_key_id: [
    { value: CI_DEPLOY, label: "ci-deploy" },
    { value: PROM, label: "prometheus" },
    { value: MY_KEY, label: "my key" },
  ],
};
const clock = { now: Date.parse("2026-11-24T06:00:00Z"), zone: "UTC" };

test.each([
  ["status:4xx", { status: "4xx" }],
  ["status:4xx curl", { status: "4xx", q: "curl" }],
  ["curl 16 Nov", { q: "curl 16 Nov" }],
  [
    "key:ci-deploy country:!DE status:4xx 16 Nov 00:00–18 Nov 12:00",
    {
      api_key_id: CI_DEPLOY,
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

test.each([
  ["-status:404,5", "status", "500", {}, "!404,!500"],
  ["status:!404,5", "status", "500", {}, "!404,!500"],
  ["status:401,4", "status", "403", { status: "500" }, "500,401,403"],
  ["key:ci-deploy,prom", "api_key_id", PROM, {}, `${CI_DEPLOY},${PROM}`],
  ["-key:CI-Deploy,prom", "api_key_id", PROM, {}, `!${CI_DEPLOY},!${PROM}`],
  ["key:my key,prom", "api_key_id", PROM, {}, `${MY_KEY},${PROM}`],
  ["prom", "api_key_id", PROM, {}, PROM],
])("choosing a value for %j keeps what was typed before it", (text, name, value, params, filter) => {
  const isExcluded = /^-|:!/.test(text);
  const suggestion = { kind: "value", name, value, isExcluded, words: value, hint: "" } as const;
  expect(changesOf(suggestion, text, params, known)).toEqual({ [name]: filter });
});
