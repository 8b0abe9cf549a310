import { expect, test } from "vitest";
import { rememberedOrder, sortingOf } from "@/components/table/sort";

const sorted = (path: string, params: Record<string, string>, usual: string) => {
  const { chosenBy, ...sorting } = sortingOf(path, params, usual, "cookie");
  return {
    ...sorting,
    hrefOf: (by: string) => chosenBy(by).href,
    rememberedBy: (by: string) => chosenBy(by).remembered,
  };
};

test("a click sorts by a column, another one reverses it, and a third one is the first again", () => {
  const params = { tag: "web", cursor: "c" };
  const usual = sorted("/uptime", params, "urgency");
  expect([usual.sort, usual.direction]).toEqual(["urgency", "asc"]);
  expect(usual.hrefOf("name")).toBe("/uptime?tag=web&sort=name");
  expect(usual.hrefOf("urgency")).toBe("/uptime?tag=web&order=desc");
  const byName = sorted("/uptime", { ...params, sort: "name" }, "urgency");
  expect(byName.hrefOf("name")).toBe("/uptime?tag=web&sort=name&order=desc");
  expect(byName.hrefOf("urgency")).toBe("/uptime?tag=web");
  const reversed = sorted("/uptime", { ...params, sort: "name", order: "desc" }, "urgency");
  expect(reversed.direction).toBe("desc");
  expect(reversed.hrefOf("name")).toBe("/uptime?tag=web&sort=name");
});

test("the newest first is a descending order, and a click on it begins with the oldest", () => {
  const newest = sorted("/api-keys", {}, "newest");
  expect([newest.direction, newest.hrefOf("newest")]).toEqual(["desc", "/api-keys?order=asc"]);
  const oldest = sorted("/api-keys", { order: "asc" }, "newest");
  expect([oldest.direction, oldest.hrefOf("newest")]).toEqual(["asc", "/api-keys"]);
});

test("a choice is remembered, and the order without a choice is not", () => {
  const usual = sorted("/uptime", {}, "urgency");
  expect(["name", "urgency"].map(usual.rememberedBy)).toEqual(["name.", "urgency.desc"]);
  expect(rememberedOrder("urgency.desc")).toEqual({ sort: "urgency", order: "desc" });
  const byName = sorted("/uptime", rememberedOrder("name."), "urgency");
  expect([byName.sort, byName.direction]).toEqual(["name", "asc"]);
  expect(["name", "urgency"].map(byName.rememberedBy)).toEqual(["name.desc", null]);
  expect(rememberedOrder()).toEqual({});
});
