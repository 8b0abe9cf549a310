import { expect, test } from "vitest";
import { queryOf, shownView } from "@/components/audit-logs/views/saved-views";
import type { AuditView } from "@/lib/audit-views/contract";

const view = (name: string, scope: AuditView["scope"], query: AuditView["query"]): AuditView => ({
  id: name,
  name,
  scope,
  query,
  created_at: "2026-11-21T12:00:00.000Z",
  created_by: { type: "user", id: null, name: "Ada" },
  updated_at: "2026-11-21T12:00:00.000Z",
  weekly_email: false,
});

test("parameters of the moment are not saved", () => {
  expect(queryOf({ status: "4xx", live: "1", entry: "x", columns: "time" })).toEqual({
    status: "4xx",
    columns: "time",
  });
});

test("a saved view is recognized whatever the order of its parameters", () => {
  const views = [view("shared", "organization", { a: "1", b: "2" }), view("own", "personal", { b: "2", a: "1" })];
  expect(shownView(views, { b: "2", a: "1", live: "1" })?.name).toBe("own");
  expect(shownView(views, { a: "1" })).toBeUndefined();
  expect(shownView(views.slice(0, 1), { a: "1", b: "2" })?.name).toBe("shared");
});
