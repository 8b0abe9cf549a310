import { expect, test } from "vitest";
import { sortingOf } from "@/components/table/sort";

test("a click sorts by a column, another one reverses it, and a third one is the first again", () => {
  const params = { tag: "web", cursor: "c" };
  const usual = sortingOf("/uptime", params, "urgency");
  expect([usual.sort, usual.direction]).toEqual(["urgency", "asc"]);
  expect(usual.hrefOf("name")).toBe("/uptime?tag=web&sort=name");
  expect(usual.hrefOf("urgency")).toBe("/uptime?tag=web&order=desc");
  const byName = sortingOf("/uptime", { ...params, sort: "name" }, "urgency");
  expect(byName.hrefOf("name")).toBe("/uptime?tag=web&sort=name&order=desc");
  expect(byName.hrefOf("urgency")).toBe("/uptime?tag=web");
  const reversed = sortingOf("/uptime", { ...params, sort: "name", order: "desc" }, "urgency");
  expect(reversed.direction).toBe("desc");
  expect(reversed.hrefOf("name")).toBe("/uptime?tag=web&sort=name");
});

test("the newest first is a descending order, and a click on it begins with the oldest", () => {
  const newest = sortingOf("/api-keys", {}, "newest");
  expect([newest.direction, newest.hrefOf("newest")]).toEqual(["desc", "/api-keys?order=asc"]);
  const oldest = sortingOf("/api-keys", { order: "asc" }, "newest");
  expect([oldest.direction, oldest.hrefOf("newest")]).toEqual(["asc", "/api-keys"]);
});
