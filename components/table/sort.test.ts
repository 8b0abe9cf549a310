import { expect, test } from "vitest";
import { sortingOf } from "@/components/table/sort";

test("a click sorts by a column, another one reverses it, and a third one is the first again", () => {
  const params = { tag: "web", cursor: "c" };
  const usual = sortingOf("/uptime", params, "urgency");
  expect([usual.sort, usual.isReversed]).toEqual(["urgency", false]);
  expect(usual.hrefOf("name")).toBe("/uptime?tag=web&sort=name");
  expect(usual.hrefOf("urgency")).toBe("/uptime?tag=web&order=desc");
  const byName = sortingOf("/uptime", { ...params, sort: "name" }, "urgency");
  expect(byName.hrefOf("name")).toBe("/uptime?tag=web&sort=name&order=desc");
  expect(byName.hrefOf("urgency")).toBe("/uptime?tag=web");
  const reversed = sortingOf("/uptime", { ...params, sort: "name", order: "desc" }, "urgency");
  expect(reversed.isReversed).toBe(true);
  expect(reversed.hrefOf("name")).toBe("/uptime?tag=web&sort=name");
});
