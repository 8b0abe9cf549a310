import { expect, test } from "vitest";
import { filterFields, filterNames } from "@/components/audit-logs/filters/filter-fields";
import { type Suggestion, suggest, typedFilter } from "@/components/audit-logs/filters/suggest";
import { filterQuery } from "@/lib/audit-logs/filters";

const known = {
  api_key_id: [
    { value: "0193a", label: "ci-deploy" },
    { value: "0193b", label: "prometheus" },
  ],
  country: [{ value: "NL", label: "Netherlands" }],
  route: [{ value: "/api/v1/certificates" }],
};
const values = (found: Suggestion[]) =>
  found.flatMap((each) => (each.kind === "value" ? [`${each.name}=${each.value}`] : []));

test("every filter of the contract has a token", () => {
  const { since: _since, until: _until, ...others } = filterQuery;
  expect([...filterNames].sort()).toEqual(Object.keys(others).sort());
});

test("the API accepts every suggested value", () => {
  for (const name of filterNames) {
    for (const { value } of filterFields[name].values ?? []) {
      expect(filterQuery[name].safeParse(value).success, `${name}=${value}`).toBe(true);
    }
  }
});

test("an empty box suggests every filter except text, which needs no name", () => {
  expect(suggest("", known).map((each) => each.kind === "field" && each.name)).toEqual(
    filterNames.filter((name) => name !== "q"),
  );
});

test("a filter name suggests its values, narrowed by the typed text, by name or label", () => {
  expect(values(suggest("api_key_id:", known))).toEqual(["api_key_id=0193a", "api_key_id=0193b"]);
  expect(values(suggest("key:prom", known))).toEqual(["api_key_id=0193b"]);
  expect(values(suggest("country:nether", known))).toEqual(["country=NL"]);
  expect(values(suggest("status:403,50", known))).toEqual(["status=500", "status=503"]);
});

test("an unknown value is suggested if the list is not closed", () => {
  expect(values(suggest("path:/x*", known))).toEqual(["path=/x*"]);
  expect(values(suggest("method:BREW", known))).toEqual([]);
});

test("without a filter name, values of all filters and the text itself are suggested", () => {
  expect(values(suggest("ci-d", known))).toEqual(["api_key_id=0193a"]);
  expect(values(suggest("rotated_sec", known))).toEqual(["flag=rotated_secret"]);
  expect(values(suggest("rotated sec", known))).toEqual(["flag=rotated_secret"]);
  expect(suggest("ci-d", known).at(-1)).toEqual({ kind: "text", text: "ci-d" });
});

test("both ways to exclude a value are understood", () => {
  expect(typedFilter("-status:4")).toEqual({ name: "status", isExcluded: true, typed: "4" });
  expect(typedFilter("status:!4")).toEqual({ name: "status", isExcluded: true, typed: "4" });
  expect(typedFilter("nothing:4")).toBeNull();
});
