import { expect, test } from "vitest";
import { moved, toSiteFields, toSiteInput, uniqueChoices } from "@/components/status-pages/site-fields";

const choices = { monitors: [{ id: "m", name: "Shop" }], endpoints: [{ id: "e", name: "shop.test" }] };
const site = (slug: string, monitor_id: string | null, endpoint_id: string | null) => ({
  slug,
  label: slug,
  monitor_id,
  endpoint_id,
});

test("what was deleted is no longer chosen, and the rest is sent as it was", () => {
  const fields = toSiteFields([site("a", "m", "gone"), site("b", "gone", null), site("c", null, "e")], choices);
  expect(toSiteInput(fields)).toEqual([site("a", "m", null), site("c", null, "e")]);
});

test("what somebody else has added since the choices were read stays chosen", () => {
  const before = [site("a", "m", "gone")];
  const fields = toSiteFields([...before, site("b", "newer", null)], choices, before);
  expect(toSiteInput(fields)).toEqual([site("a", "m", null), site("b", "newer", null)]);
});

test("a new site has no slug", () => {
  const fields = { row: 0, slug: undefined, label: "New", monitorId: "m", endpointId: "" };
  expect(toSiteInput([fields])).toEqual([{ label: "New", monitor_id: "m", endpoint_id: null }]);
});

test("a site moves by one place, and not beyond the ends", () => {
  const fields = toSiteFields([site("a", "m", null), site("b", "m", null), site("c", "m", null)], choices);
  const order = (at: number, by: 1 | -1) =>
    moved(fields, at, by)
      .map(({ label }) => label)
      .join("");
  expect([order(0, 1), order(2, -1), order(0, -1), order(2, 1)]).toEqual(["bac", "acb", "abc", "abc"]);
});

test("choices are unique and in natural order", () => {
  const named = ["web 10", "web 2", "api"].map((name) => ({ id: name, name }));
  expect(uniqueChoices([...named, ...named]).map(({ name }) => name)).toEqual(["api", "web 2", "web 10"]);
});
